package io.gpusched.server.http;

import io.helidon.http.HeaderNames;
import io.helidon.http.Headers;

import java.util.List;
import java.util.regex.Pattern;

/// Checks that the end of a request is unambiguous, against request smuggling.
///
/// If a proxy and this server disagree about where a request ends, a client can put a request of
/// its own into the connection of another client. So a request that states its length twice, in two
/// ways, or in a way that others may read differently is refused, and its connection is closed.
final class RequestFraming {
    private static final Pattern LENGTH = Pattern.compile("[0-9]{1,18}");

    private RequestFraming() {}

    /// Throws an [HttpError] if the length of the body is ambiguous.
    static void check(Headers headers) {
        List<String> lengths = headers.all(HeaderNames.CONTENT_LENGTH, List::of);
        List<String> encodings = headers.all(HeaderNames.TRANSFER_ENCODING, List::of);
        if (lengths.size() > 1) {
            throw HttpError.malformed(
                    400, "there are several Content-Length headers, expected one");
        }
        if (!lengths.isEmpty() && !LENGTH.matcher(lengths.getFirst()).matches()) {
            throw HttpError.malformed(400, "Content-Length is not a whole number");
        }
        if (!encodings.isEmpty() && !encodings.equals(List.of("chunked"))) {
            throw HttpError.malformed(400, "Transfer-Encoding is not chunked and nothing else");
        }
        if (!encodings.isEmpty() && !lengths.isEmpty()) {
            throw HttpError.malformed(400, "there are both Content-Length and Transfer-Encoding");
        }
    }

    /// Whether the body is chunked. The parser is lenient about what is between chunks, so such a
    /// request is the last one of its connection.
    static boolean isChunked(Headers headers) {
        return headers.contains(HeaderNames.TRANSFER_ENCODING);
    }

    /// Whether a header announces a body.
    static boolean hasBody(Headers headers) {
        return isChunked(headers)
                || headers.all(HeaderNames.CONTENT_LENGTH, List::of).stream()
                        .anyMatch(length -> !length.equals("0"));
    }
}
