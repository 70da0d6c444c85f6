package io.gpusched.cli.rest;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/// A path below `/api/v1` and its query, always properly encoded: an id with a slash, a blank or a
/// question mark in it stays one id.
public record ApiPath(String path, String query) {

    public static ApiPath to(String... segments) {
        var path = new StringBuilder("/api/v1");
        for (String segment : segments) {
            path.append('/').append(encoded(segment));
        }
        return new ApiPath(path.toString(), "");
    }

    /// The same route with one more parameter; an empty value means that it was not asked for.
    public ApiPath with(String name, String value) {
        if (value.isEmpty()) {
            return this;
        }
        String pair = encoded(name) + "=" + encoded(value);
        return new ApiPath(path, query.isEmpty() ? pair : query + "&" + pair);
    }

    /// How the route is written behind the address of a server.
    public String written() {
        return query.isEmpty() ? path : path + "?" + query;
    }

    private static String encoded(String text) {
        String form = URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
        return form.equals(".") || form.equals("..") ? form.replace(".", "%2E") : form;
    }
}
