package io.gpusched.server.http;

import static io.gpusched.server.http.Route.Audience.ANYBODY;

import java.util.List;

/// Routes of the web page. Its files are at most four folders deep.
public final class PageRoutes {
    private PageRoutes() {}

    public static List<Route> all() {
        var page = new PageHandlers();
        return List.of(
                new Route("GET", "/ui", ANYBODY, page::index),
                new Route("GET", "/ui/{a}", ANYBODY, page::file),
                new Route("GET", "/ui/{a}/{b}", ANYBODY, page::file),
                new Route("GET", "/ui/{a}/{b}/{c}", ANYBODY, page::file),
                new Route("GET", "/ui/{a}/{b}/{c}/{d}", ANYBODY, page::file));
    }
}
