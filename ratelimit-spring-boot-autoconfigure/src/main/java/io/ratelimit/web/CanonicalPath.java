package io.ratelimit.web;

import java.util.ArrayDeque;
import java.util.Deque;
import org.springframework.http.server.PathContainer;
import org.springframework.http.server.PathContainer.PathSegment;

/**
 * The one spelling of a path: decoded, without path parameters, empty and dot segments and the trailing slash. Whatever
 * stands behind the filter and is more lenient than {@code PathPattern} (a filter that trims slashes, an Ant-style
 * matcher, another servlet) reads a path at most as leniently as this.
 */
final class CanonicalPath {

    private CanonicalPath() {}

    /** {@return whether the path may be spelled in another way than the canonical one} */
    static boolean mayDiffer(String path) {
        int length = path.length();
        for (int i = 0; i < length; i++) {
            char c = path.charAt(i);
            if (c == ';' || c == '%') {
                return true;
            }
            if (c == '/' && i > 0 && (i == length - 1 || path.charAt(i - 1) == '/')) {
                return true;
            }
            if (c == '.' && i > 0 && path.charAt(i - 1) == '/') {
                return true;
            }
        }
        return length == 0;
    }

    static String of(PathContainer path) {
        if (!mayDiffer(path.value())) {
            return path.value();
        }
        StringBuilder decoded = new StringBuilder();
        for (PathContainer.Element element : path.elements()) {
            decoded.append(element instanceof PathSegment segment ? segment.valueToMatch() : element.value());
        }
        return withoutDots(decoded.toString());
    }

    private static String withoutDots(String path) {
        Deque<String> segments = new ArrayDeque<>();
        for (String segment : path.split("/")) {
            if (segment.equals("..")) {
                segments.pollLast();
            } else if (!segment.isEmpty() && !segment.equals(".")) {
                segments.addLast(segment);
            }
        }
        return "/" + String.join("/", segments);
    }
}
