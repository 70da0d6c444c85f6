package io.gpusched.server.http;

import java.util.ArrayList;
import java.util.List;

/// Splits a path into the segments between its slashes.
final class PathSegments {
    private PathSegments() {}

    /// `/a/b/` and `/a/b` are the same two segments.
    static List<String> of(String path) {
        var segments = new ArrayList<String>(6);
        int from = 1;
        while (from < path.length()) {
            int slash = path.indexOf('/', from);
            int to = slash < 0 ? path.length() : slash;
            segments.add(path.substring(from, to));
            from = to + 1;
        }
        return segments;
    }

    static boolean isName(String segment) {
        return segment.startsWith("{");
    }
}
