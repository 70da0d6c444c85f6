package io.gpusched.cli.rest;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/// Where the server is and how to be let in: its address, a bearer token (empty for none) and the
/// file of certificates to trust (absent for those of the JDK).
public record Access(String url, String token, @Nullable Path certificates) {

    /// Checks the address. `host:port` alone means plain HTTP, and a slash at the end is dropped.
    public Access {
        String address = url.contains("://") ? url : "http://" + url;
        url = checked(address.replaceAll("/+$", ""));
        if (token.chars().anyMatch(c -> c <= ' ' || c > '~')) {
            throw new IllegalArgumentException(
                    "the token must be one word of printable characters, without blanks or line"
                            + " breaks");
        }
    }

    /// True where the token would travel readable for everybody on the way.
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

    /// What to trust beyond the JDK's own certificates; made only when a connection is secure.
    Optional<SSLContext> trust() {
        if (certificates == null) {
            return Optional.empty();
        }
        try (InputStream in = Files.newInputStream(certificates)) {
            var store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            int count = 0;
            for (var certificate :
                    CertificateFactory.getInstance("X.509").generateCertificates(in)) {
                store.setCertificateEntry("ca-" + count++, certificate);
            }
            if (count == 0) {
                throw new GeneralSecurityException("no certificate in it");
            }
            var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(store);
            var context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return Optional.of(context);
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalArgumentException(
                    "--cacert %s: expected a file of PEM certificates, but: %s"
                            .formatted(certificates, e.getMessage()),
                    e);
        }
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
