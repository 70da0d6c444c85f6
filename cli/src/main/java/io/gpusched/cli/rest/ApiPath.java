package io.gpusched.cli.rest;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/// A path below `/api/v1` with its query, always percent-encoded: an id that contains a slash, a
/// blank or a question mark stays one id.
public record ApiPath(String path, String query) {

    public static ApiPath to(String... segments) {
        var path = new StringBuilder("/api/v1");
        for (String segment : segments) {
            path.append('/').append(encoded(segment));
        }
        return new ApiPath(path.toString(), "");
    }

    /// The same path with one more query parameter; an empty value adds none.
    public ApiPath with(String name, String value) {
        if (value.isEmpty()) {
            return this;
        }
        String pair = encoded(name) + "=" + encoded(value);
        return new ApiPath(path, query.isEmpty() ? pair : query + "&" + pair);
    }

    /// The path and query as they follow the server's address.
    public String written() {
        return query.isEmpty() ? path : path + "?" + query;
    }

    private static String encoded(String text) {
        String form = URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
        return form.equals(".") || form.equals("..") ? form.replace(".", "%2E") : form;
    }
}
