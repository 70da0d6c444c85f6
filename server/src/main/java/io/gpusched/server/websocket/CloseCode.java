package io.gpusched.server.websocket;

/// Why a connection is closed, as RFC 6455 numbers it.
public final class CloseCode {
    public static final int NORMAL = 1000;
    public static final int GOING_AWAY = 1001;
    public static final int PROTOCOL_ERROR = 1002;
    public static final int UNSUPPORTED = 1003;

    /// Stands for a close frame without a code; never sent.
    public static final int NONE = 1005;

    public static final int NOT_UTF_8 = 1007;
    public static final int POLICY = 1008;
    public static final int TOO_BIG = 1009;

    private CloseCode() {}

    /// Whether a client may send this code.
    static boolean isSendable(int code) {
        return code >= 1000 && code <= 1003
                || code >= 1007 && code <= 1014
                || code >= 3000 && code <= 4999;
    }
}
