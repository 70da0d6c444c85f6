package io.gpusched.cli.rest;

import org.jspecify.annotations.Nullable;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Map;

import javax.net.ssl.SSLContext;

/// Address and credentials of the server.
///
/// @param token bearer token; empty for none
/// @param trust certificates to trust instead of the JDK's; null for the JDK's
public record ServerAddress(String url, String token, @Nullable SSLContext trust) {

    /// Checks the address. `host:port` alone means plain HTTP; a trailing slash is dropped.
    public ServerAddress {
        String address = url.contains("://") ? url : "http://" + url;
        url = checked(address.replaceAll("/+$", ""));
        if (token.chars().anyMatch(c -> c <= ' ' || c > '~')) {
            throw new IllegalArgumentException(
                    "the token must be one word of printable characters, without blanks or line"
                            + " breaks");
        }
    }

    /// Whether the token would be sent unencrypted over a network.
    public boolean leaksToken() {
        return !token.isEmpty() && url.startsWith("http://") && !isLoopback();
    }

    Map<String, String> headers() {
        return token.isEmpty()
                ? Map.of("Accept", "application/json, text/plain")
                : Map.of(
                        "Accept",
                        "application/json, text/plain",
                        "Authorization",
                        "Bearer " + token);
    }

    private boolean isLoopback() {
        String host = URI.create(url).getHost();
        return host.equals("localhost")
                || host.endsWith(".localhost")
                || host.startsWith("127.")
                || host.equals("[::1]");
    }

    private static String checked(String address) {
        try {
            var uri = new URI(address);
            String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
            boolean known = scheme.equals("http") || scheme.equals("https");
            if (known
                    && uri.getHost() != null
                    && uri.getQuery() == null
                    && uri.getFragment() == null) {
                return address;
            }
        } catch (URISyntaxException notAnAddress) {
            throw new IllegalArgumentException(message(address), notAnAddress);
        }
        throw new IllegalArgumentException(message(address));
    }

    private static String message(String address) {
        return "--api-url: expected an address like http://localhost:8080, found " + address;
    }
}
