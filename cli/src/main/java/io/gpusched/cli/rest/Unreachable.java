package io.gpusched.cli.rest;

import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;

import javax.net.ssl.SSLException;

/// There was no answer, or none that a scheduler would give. The message says what to look at.
public final class Unreachable extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Unreachable(String message) {
        super(message);
    }

    Unreachable(String message, Throwable cause) {
        super(message, cause);
    }

    /// Says in words what went wrong on the way to `url`.
    static Unreachable because(String url, IOException cause) {
        return new Unreachable(words(url, cause), cause);
    }

    private static String words(String url, IOException cause) {
        return switch (cause) {
            case ConnectException _ ->
                    "no answer from "
                            + url
                            + " (connection refused): is the scheduler running? start it with"
                            + " bin/scheduler, or name another address with --api-url";
            case UnknownHostException _ ->
                    "no machine has the name in " + url + "; check --api-url";
            case SocketTimeoutException _ ->
                    "no answer from " + url + " in time: the scheduler is busy or out of reach";
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
