package io.gpusched.cli.rest;

import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;

import javax.net.ssl.SSLException;

/// Thrown when the server gives no answer, or one that is not a scheduler's. The message says what
/// to check.
public final class Unreachable extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Unreachable(String message) {
        super(message);
    }

    Unreachable(String message, Throwable cause) {
        super(message, cause);
    }

    /// Describes what went wrong on the way to `url`.
    static Unreachable because(String url, IOException cause) {
        return new Unreachable(describe(url, cause), cause);
    }

    private static String describe(String url, IOException cause) {
        return switch (cause) {
            case ConnectException _ ->
                    "no answer from "
                            + url
                            + " (connection refused): is the scheduler running? start it with"
                            + " bin/scheduler, or name another address with --api-url";
            case UnknownHostException _ ->
                    "the host name in " + url + " cannot be resolved; check --api-url";
            case SocketTimeoutException _ ->
                    "no answer from "
                            + url
                            + " in time: the scheduler is busy or the network drops packets";
            case SSLException _ when String.valueOf(cause.getMessage()).contains("SSL message") ->
                    url + " does not speak TLS; use http:// in --api-url";
            case SSLException _
                    when String.valueOf(cause.getMessage()).contains("subject alternative") ->
                    "no secure connection to "
                            + url
                            + " ("
                            + cause.getMessage()
                            + "); use an address that the server's certificate names";
            case SSLException _ ->
                    "no secure connection to "
                            + url
                            + " ("
                            + cause.getMessage()
                            + "); give the certificate that signed the server's with --cacert";
            default ->
                    "the connection to "
                            + url
                            + " broke ("
                            + cause.getMessage()
                            + "); is that a gpu-scheduler?"
                            + (url.startsWith("http://")
                                    ? " if it speaks TLS, use https:// in --api-url"
                                    : "");
        };
    }
}
