package io.ratelimit.autoconfigure;

class MemoryFilterAndAnnotationTests extends FilterAndAnnotationContract {

    @Override
    String[] backend() {
        return new String[] {"ratelimit.backend=memory"};
    }
}
