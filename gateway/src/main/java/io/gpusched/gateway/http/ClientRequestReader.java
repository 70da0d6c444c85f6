package io.gpusched.gateway.http;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.util.Set;

/// Reads the requests of one client, one after the other, while their bytes arrive.
public final class ClientRequestReader {
    private static final Set<String> METHODS =
            Set.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS");
    private static final byte[] NO_BODY = new byte[0];

    private final int mostBodyBytes;
    private final HeadEnd headEnd = new HeadEnd();
    private final ByteQueue body = new ByteQueue();

    private boolean withinBody;
    private BodyFrame frame = BodyFrame.ofLength(0);
    private boolean continueWanted;

    public ClientRequestReader(int mostBodyBytes) {
        this.mostBodyBytes = mostBodyBytes;
    }

    /// Whether the head of a request has come and a part of its body has not.
    public boolean isWithinBody() {
        return withinBody;
    }

    /// Bytes of the body that have come so far.
    public int bodyBytes() {
        return body.length();
    }

    /// True once for a request whose client waits for `100 Continue` before it sends the body.
    public boolean takeContinueWanted() {
        boolean wanted = continueWanted && !frame.isComplete();
        continueWanted = false;
        return wanted;
    }

    /// The next request without its body, or null while its head is not complete. To be called
    /// after the body of the request before.
    public @Nullable ClientRequest head(ByteQueue in) throws BadHttp {
        skipEmptyLines(in);
        int length = headEnd.find(in);
        if (length < 0) {
            return null;
        }
        ClientRequest begun = head(in.array(), in.start(), in.start() + length);
        in.consume(length);
        withinBody = !frame.isComplete();
        return begun;
    }

    /// The whole request, or null while its body is not complete.
    ///
    /// @param begun what [#head] returned
    public @Nullable ClientRequest body(ClientRequest begun, ByteQueue in) throws BadHttp {
        int end = frame.scan(in.array(), in.start(), in.end(), this::take);
        in.consume(end - in.start());
        if (body.length() > mostBodyBytes) {
            throw tooLarge();
        }
        return frame.isComplete() ? complete(begun) : null;
    }

    private ClientRequest complete(ClientRequest begun) {
        byte[] content = body.isEmpty() ? NO_BODY : body.toArray();
        clear();
        return begun.withBody(content);
    }

    /// Forgets what has come of a body.
    public void clear() {
        body.clear();
        withinBody = false;
    }

    private void take(byte[] bytes, int from, int to) {
        if (body.length() <= mostBodyBytes) {
            body.append(bytes, from, to - from);
        }
    }

    private static void skipEmptyLines(ByteQueue in) {
        while (!in.isEmpty()
                && (in.array()[in.start()] == '\r' || in.array()[in.start()] == '\n')) {
            in.consume(1);
        }
    }

    private ClientRequest head(byte[] bytes, int from, int to) throws BadHttp {
        int end = from;
        while (bytes[end] != '\r') {
            end++;
        }
        String line = new String(bytes, from, end - from, StandardCharsets.ISO_8859_1);
        String[] parts = line.split(" ", -1);
        if (parts.length != 3 || !parts[1].startsWith("/") || !isPlain(parts[1])) {
            throw new BadHttp(400, "the request line is not METHOD /PATH HTTP/1.1");
        }
        if (!parts[2].equals("HTTP/1.1")) {
            throw new BadHttp(505, "the gateway speaks HTTP/1.1 only");
        }
        if (!METHODS.contains(parts[0])) {
            throw new BadHttp(405, "the method is not one of GET, HEAD, POST, PUT, PATCH, DELETE");
        }
        HeaderFields fields = HeaderFields.read(bytes, end + 2, to - 2);
        if (fields.count("host") != 1) {
            throw new BadHttp(400, "expected one Host header field");
        }
        frame = BodyFrame.of(fields, BodyFrame.ofLength(0));
        if (frame.announced() > mostBodyBytes) {
            throw tooLarge();
        }
        continueWanted = fields.lists("expect", "100-continue");
        return new ClientRequest(
                parts[0], parts[1], fields, NO_BODY, !fields.lists("connection", "close"));
    }

    private static boolean isPlain(String target) {
        return target.chars().allMatch(each -> each > ' ' && each < 127);
    }

    private BadHttp tooLarge() {
        return new BadHttp(413, "the body is larger than " + mostBodyBytes + " bytes");
    }
}
