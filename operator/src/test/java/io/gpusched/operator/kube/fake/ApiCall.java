package io.gpusched.operator.kube.fake;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/// One request as it came.
///
/// @param path without the parameters
@SuppressWarnings("ArrayRecordComponent") // Read once, never compared.
record ApiCall(
        String method,
        String path,
        Map<String, String> parameters,
        Map<String, String> headers,
        byte[] body) {
    /// @param target as in the first line of the request
    static ApiCall of(String method, String target, Map<String, String> headers, byte[] body) {
        int mark = target.indexOf('?');
        var parameters = new HashMap<String, String>();
        if (mark >= 0) {
            for (String pair : target.substring(mark + 1).split("&")) {
                int equal = pair.indexOf('=');
                parameters.put(
                        decoded(equal < 0 ? pair : pair.substring(0, equal)),
                        equal < 0 ? "" : decoded(pair.substring(equal + 1)));
            }
        }
        return new ApiCall(
                method, mark < 0 ? target : target.substring(0, mark), parameters, headers, body);
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }

    String parameter(String name) {
        return parameters.getOrDefault(name, "");
    }

    boolean isDry() {
        return parameter("dryRun").equals("All");
    }

    boolean isWatch() {
        return parameter("watch").equals("true") || parameter("watch").equals("1");
    }

    /// Without `Bearer`; empty if there is none.
    String token() {
        return headers.getOrDefault("authorization", "").replaceFirst("^Bearer ", "");
    }
}
