package io.gpusched.server.config;

import java.net.InetAddress;
import java.net.UnknownHostException;

/// Recognises addresses that only this machine can reach.
public final class Loopback {
    private Loopback() {}

    /// Whether a port on `host` can be reached only from this machine. Names are not looked up,
    /// except `localhost`: a name that means loopback today may mean something else tomorrow.
    public static boolean is(String host) {
        if (host.equals("localhost")) {
            return true;
        }
        boolean literal = host.indexOf(':') >= 0 || host.matches("[0-9.]+");
        try {
            return literal && InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException notAnAddress) {
            return false;
        }
    }
}
