package io.ratelimit.web;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;

/** Beans of one type in their order, looked up and sorted when first needed and then kept. */
final class OrderedBeans<T> {

    private final ObjectProvider<T> provider;

    private volatile @Nullable List<T> sorted;

    OrderedBeans(ObjectProvider<T> provider) {
        this.provider = provider;
    }

    List<T> get() {
        List<T> known = sorted;
        if (known == null) {
            known = provider.orderedStream().toList();
            sorted = known;
        }
        return known;
    }
}
