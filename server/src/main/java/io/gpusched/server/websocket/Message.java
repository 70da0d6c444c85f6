package io.gpusched.server.websocket;

/// What a client sent.
public sealed interface Message {
    record Text(String text) implements Message {}

    @SuppressWarnings("ArrayRecordComponent") // Sent back, never compared.
    record Ping(byte[] payload) implements Message {}

    record Pong() implements Message {}

    /// The client ends the connection.
    ///
    /// @param code 1005 if the client gave none
    record Close(int code, String reason) implements Message {}
}
