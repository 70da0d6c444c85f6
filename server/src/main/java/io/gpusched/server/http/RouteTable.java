package io.gpusched.server.http;

import org.jspecify.annotations.Nullable;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Finds the route of a request: a tree of path segments, where a fixed segment wins over a named
/// one. Matching is a few map look-ups however many routes there are.
final class RouteTable {
    /// A route, and the segments at its named places.
    record Found(Route route, Map<String, String> names) {}

    private static final class Place {
        final Map<String, Place> fixed = new LinkedHashMap<>();
        final Map<String, Route> byMethod = new TreeMap<>();
        @Nullable Place named;
        String name = "";
    }

    private final Place root = new Place();

    RouteTable(List<Route> routes) {
        routes.forEach(this::add);
    }

    private void add(Route route) {
        Place place = root;
        for (String segment : route.segments()) {
            if (PathSegments.isName(segment)) {
                place.name = segment.substring(1, segment.length() - 1);
                if (place.named == null) {
                    place.named = new Place();
                }
                place = place.named;
            } else {
                place = place.fixed.computeIfAbsent(segment, key -> new Place());
            }
        }
        place.byMethod.put(route.method(), route);
    }

    /// The route for `method` and `path`. Throws an [HttpError] if there is none: 405 with the
    /// allowed methods if the path exists, else 404.
    Found find(String method, String path) {
        Map<String, String> names = Map.of();
        @Nullable Place place = root;
        for (String segment : PathSegments.of(path)) {
            Place next = place.fixed.get(segment);
            if (next == null && place.named != null) {
                names = with(names, place.name, segment);
                next = place.named;
            }
            if (next == null) {
                throw HttpError.noRoute(method, path);
            }
            place = next;
        }
        Route route = place.byMethod.get(method);
        if (route == null) {
            throw place.byMethod.isEmpty()
                    ? HttpError.noRoute(method, path)
                    : HttpError.wrongMethod(method, path, List.copyOf(place.byMethod.keySet()));
        }
        return new Found(route, names);
    }

    private static Map<String, String> with(Map<String, String> names, String name, String value) {
        var more = new LinkedHashMap<>(names);
        more.put(name, value);
        return more;
    }
}
