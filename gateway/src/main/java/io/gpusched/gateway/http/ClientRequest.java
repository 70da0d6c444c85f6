package io.gpusched.gateway.http;

/// One request of a client.
public final class ClientRequest {
    private final String method;
    private final String target;
    private final HeaderFields fields;
    private final byte[] body;
    private final boolean keepAlive;

    ClientRequest(
            String method, String target, HeaderFields fields, byte[] body, boolean keepAlive) {
        this.method = method;
        this.target = target;
        this.fields = fields;
        this.body = body;
        this.keepAlive = keepAlive;
    }

    /// The same request with another body.
    public ClientRequest withBody(byte[] content) {
        return new ClientRequest(method, target, fields, content, keepAlive);
    }

    public String method() {
        return method;
    }

    /// Path and query, as they were sent.
    public String target() {
        return target;
    }

    /// The target without its query.
    public String path() {
        int query = target.indexOf('?');
        return query < 0 ? target : target.substring(0, query);
    }

    public HeaderFields fields() {
        return fields;
    }

    /// The content of the body, without framing; empty while only the head has come. It must not be
    /// changed.
    public byte[] body() {
        return body;
    }

    /// Whether the client may send another request on the same connection.
    public boolean keepAlive() {
        return keepAlive;
    }
}
