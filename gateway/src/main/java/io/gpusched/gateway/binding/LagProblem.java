package io.gpusched.gateway.binding;

import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;

import javax.net.ssl.SSLException;

/// Why a queue could not be read, and what to do. The message consists of our own words only, and
/// there is no cause: exceptions of client libraries may repeat the connection string.
final class LagProblem extends Exception {
    private static final long serialVersionUID = 1L;
    private static final int LONGEST_CHAIN = 100;

    LagProblem(String message) {
        super(message);
    }

    /// Names what usually keeps a client from its server.
    static LagProblem connecting(Throwable failure) {
        for (Throwable each : chain(failure)) {
            if (each instanceof UnknownHostException
                    || each instanceof UnresolvedAddressException) {
                return new LagProblem(
                        "the host name in the connection is unknown; check the connection");
            }
            if (each instanceof SSLException) {
                return new LagProblem(
                        "TLS failed; check the certificate of the server and the connection");
            }
            if (each instanceof SocketTimeoutException
                    || each instanceof HttpTimeoutException
                    || each instanceof TimeoutException) {
                return late();
            }
            if (each instanceof ConnectException) {
                return new LagProblem(
                        "no server accepts the connection; check host, port and network");
            }
        }
        return new LagProblem("the connection failed or gave an answer of another protocol");
    }

    /// The failure, its causes, and what was suppressed on the way: a client that tried several
    /// addresses keeps there why each failed.
    private static List<Throwable> chain(Throwable failure) {
        var chain = new ArrayList<Throwable>();
        for (Throwable each = failure;
                each != null && chain.size() < LONGEST_CHAIN;
                each = each.getCause()) {
            chain.add(each);
            chain.addAll(List.of(each.getSuppressed()));
        }
        return chain;
    }

    static LagProblem late() {
        return new LagProblem("the server did not answer in time");
    }

    static LagProblem credentials() {
        return new LagProblem(
                "the server refused the credentials; check the connection and its permissions");
    }

    static LagProblem missing(String what) {
        return new LagProblem("there is no such " + what + "; check queue and group");
    }

    static LagProblem garbage() {
        return new LagProblem("the server gave an answer that is not a number of messages");
    }
}
