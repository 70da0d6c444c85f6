package io.gpusched.gateway.binding;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/// The parts of a connection string:
/// `scheme://user:password@host:port,host:port/path?name=value`. User, password, path and values
/// are percent-decoded. `java.net.URI` knows no list of hosts, and its errors repeat the text.
///
/// @param user empty where there is none
/// @param password empty where there is none
/// @param path without the first slash
record ConnectionAddress(
        String scheme,
        String user,
        String password,
        List<Host> hosts,
        String path,
        Map<String, String> parameters) {
    /// @param port 0 where none was given
    record Host(String name, int port) {
        int portOr(int usual) {
            return port == 0 ? usual : port;
        }

        /// As in a URL: an IPv6 address is in brackets.
        String text() {
            String shown = name.indexOf(':') < 0 ? name : "[" + name + "]";
            return port == 0 ? shown : shown + ":" + port;
        }
    }

    private static final int MOST_HOSTS = 100;

    static ConnectionAddress parse(String text) throws LagProblem {
        int scheme = text.indexOf("://");
        if (scheme <= 0) {
            throw malformed("a scheme such as redis://");
        }
        String rest = text.substring(scheme + 3);
        int end = firstOf(rest, "/?");
        String authority = rest.substring(0, end);
        String tail = rest.substring(end);
        int question = tail.indexOf('?');
        String path = question < 0 ? tail : tail.substring(0, question);
        int at = authority.lastIndexOf('@');
        String userInfo = at < 0 ? "" : authority.substring(0, at);
        int colon = userInfo.indexOf(':');
        return new ConnectionAddress(
                text.substring(0, scheme).toLowerCase(Locale.ROOT),
                decoded(colon < 0 ? userInfo : userInfo.substring(0, colon)),
                colon < 0 ? "" : decoded(userInfo.substring(colon + 1)),
                hosts(authority.substring(at + 1)),
                path.isEmpty() ? "" : decoded(path.substring(1)),
                question < 0 ? Map.of() : parameters(tail.substring(question + 1)));
    }

    /// The only host.
    Host host() throws LagProblem {
        if (hosts.size() != 1) {
            throw malformed("one host");
        }
        return hosts.getFirst();
    }

    /// Whether the scheme is the second of the two, which means TLS.
    boolean isSecure(String plain, String secure) throws LagProblem {
        if (!scheme.equals(plain) && !scheme.equals(secure)) {
            throw malformed("the scheme %s:// or %s://".formatted(plain, secure));
        }
        return scheme.equals(secure);
    }

    static LagProblem malformed(String expected) {
        return new LagProblem(
                "the connection is malformed: expected %s; percent-encode special characters of the password"
                        .formatted(expected));
    }

    private static int firstOf(String text, String ends) {
        for (int i = 0; i < text.length(); i++) {
            if (ends.indexOf(text.charAt(i)) >= 0) {
                return i;
            }
        }
        return text.length();
    }

    private static List<Host> hosts(String text) throws LagProblem {
        var hosts = new ArrayList<Host>();
        for (String each : text.split(",", MOST_HOSTS)) {
            int port = each.lastIndexOf(':');
            boolean bare = port < 0 || each.endsWith("]");
            String name = bare ? each : each.substring(0, port);
            if (name.startsWith("[") && name.endsWith("]")) {
                name = name.substring(1, name.length() - 1);
            } else if (name.indexOf(':') >= 0) {
                throw malformed("host:port");
            }
            if (name.isEmpty() || name.chars().anyMatch(c -> c <= ' ' || c > '~' || c == '\\')) {
                throw malformed("a host name");
            }
            hosts.add(new Host(name, bare ? 0 : port(each.substring(port + 1))));
        }
        return List.copyOf(hosts);
    }

    private static int port(String text) throws LagProblem {
        if (!text.matches("[0-9]{1,5}")
                || Integer.parseInt(text) > 65_535
                || Integer.parseInt(text) == 0) {
            throw malformed("a port from 1 to 65535");
        }
        return Integer.parseInt(text);
    }

    private static Map<String, String> parameters(String text) throws LagProblem {
        var parameters = new TreeMap<String, String>();
        for (String each : text.split("&", MOST_HOSTS)) {
            int equals = each.indexOf('=');
            if (equals <= 0) {
                throw malformed("parameters such as ?name=value");
            }
            parameters.put(each.substring(0, equals), decoded(each.substring(equals + 1)));
        }
        return parameters;
    }

    private static String decoded(String text) throws LagProblem {
        try {
            return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw malformed("percent-encoding such as %40");
        }
    }

    /// Without user, password and parameters, which may be secret.
    @Override
    public String toString() {
        return scheme + "://***";
    }
}
