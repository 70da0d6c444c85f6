package io.gpusched.server.http;

import io.helidon.http.HeaderNames;

import java.util.LinkedHashMap;
import java.util.Map;

/// `/ui/`: the web page. It holds no data: what it shows it reads from the API with the token of
/// the person who looks at it.
final class PageHandlers {
    private static final byte[] NOTHING = {};
    private static final String HTML = "text/html; charset=utf-8";

    private final PageFiles files = new PageFiles();
    private final Map<String, String> protection = protection(files.importMapHash());

    /// Lets the page load its own files and talk to its own server, and nothing else.
    private static Map<String, String> protection(String importMapHash) {
        return Map.of(
                "Content-Security-Policy",
                "default-src 'none'; script-src 'self' "
                        + importMapHash
                        + "; style-src 'self'; img-src 'self' data:; font-src 'self';"
                        + " connect-src 'self'; manifest-src 'self'; base-uri 'none';"
                        + " form-action 'none'; frame-ancestors 'none'",
                "X-Content-Type-Options",
                "nosniff",
                "X-Frame-Options",
                "DENY",
                "Referrer-Policy",
                "no-referrer",
                "Cross-Origin-Opener-Policy",
                "same-origin",
                "Cross-Origin-Resource-Policy",
                "same-origin");
    }

    /// The start page. Its links are relative, so that it also works behind a proxy that serves it
    /// below another path; that needs the slash at the end.
    Response index(Request request) {
        return request.rawPath().endsWith("/") ? send(PageFiles.INDEX, request) : redirect("ui/");
    }

    Response file(Request request) {
        var path = new StringBuilder(request.path("a"));
        for (String name : new String[] {"b", "c", "d"}) {
            String segment = request.path(name);
            if (!segment.isEmpty()) {
                path.append('/').append(segment);
            }
        }
        return send(path.toString(), request);
    }

    static Response redirect(String relative) {
        return new Response.Complete(
                302, HTML, NOTHING, Map.of("Location", relative, "Vary", "Accept"));
    }

    private Response send(String path, Request request) {
        PageFiles.PageFile file = files.at(path);
        if (file == null) {
            throw HttpError.noRoute("GET", request.rawPath());
        }
        var headers = new LinkedHashMap<>(protection);
        headers.put("ETag", file.tag());
        headers.put("Cache-Control", "no-cache");
        headers.put("Vary", "Accept-Encoding");
        if (request.header(HeaderNames.IF_NONE_MATCH).contains(file.tag())) {
            return new Response.Complete(304, file.type(), NOTHING, headers);
        }
        if (request.header(HeaderNames.ACCEPT_ENCODING).contains("gzip")) {
            headers.put("Content-Encoding", "gzip");
            return new Response.Complete(200, file.type(), file.zipped(), headers);
        }
        return new Response.Complete(200, file.type(), file.plain(), headers);
    }
}
