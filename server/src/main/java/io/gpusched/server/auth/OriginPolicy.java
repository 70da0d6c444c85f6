package io.gpusched.server.auth;

import io.gpusched.server.config.ApiSection;
import io.gpusched.server.config.Loopback;

import org.jspecify.annotations.Nullable;

import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Protects a port on loopback, which trusts its own machine, from web pages that send requests to
/// it through a browser.
///
/// A page can make a browser send requests to 127.0.0.1, directly (then the browser names the page
/// as `Origin`) or under a name that it points there (then `Host` is that name). Both are refused
/// unless the configuration allows them by name.
public final class OriginPolicy {
    private final Set<String> hosts;
    private final Set<String> origins;
    private final boolean anyHost;
    private final boolean anyOrigin;

    /// The host that was allowed last. Nearly all requests name the same one, and comparing is
    /// cheaper than parsing.
    private volatile String lastHost = "";

    public OriginPolicy(ApiSection api) {
        this.hosts =
                Stream.concat(Stream.of(api.host()), api.allowedHosts().stream())
                        .map(OriginPolicy::lower)
                        .collect(Collectors.toUnmodifiableSet());
        this.origins =
                api.corsOrigins().stream()
                        .map(OriginPolicy::lower)
                        .collect(Collectors.toUnmodifiableSet());
        // Beyond loopback every request needs a token, which a foreign page does not have.
        this.anyHost = !Loopback.is(api.host()) && api.allowedHosts().isEmpty();
        this.anyOrigin = origins.contains("*") && api.auth();
    }

    /// Whether clients may address this server as `host` (the header, with or without a port).
    public boolean allowsHost(@Nullable String host) {
        if (host == null || host.equals(lastHost)) {
            return host != null;
        }
        String name = lower(withoutPort(host));
        boolean allowed =
                anyHost || hosts.contains(name) || name.endsWith(".localhost") || Loopback.is(name);
        if (allowed) {
            lastHost = host;
        }
        return allowed;
    }

    /// Whether a page of `origin` may send requests to this server, which it addresses as `host`.
    public boolean allowsOrigin(String origin, String host) {
        String wanted = lower(origin);
        return anyOrigin
                || origins.contains(wanted)
                || wanted.equals("http://" + lower(host))
                || wanted.equals("https://" + lower(host));
    }

    /// Whether the configuration allows `origin` by name, so that the response must say so to the
    /// browser.
    public boolean sharesWith(String origin) {
        return anyOrigin || origins.contains(lower(origin));
    }

    private static String withoutPort(String host) {
        if (host.startsWith("[")) {
            int end = host.indexOf(']');
            return end < 0 ? host : host.substring(1, end);
        }
        int colon = host.lastIndexOf(':');
        return colon < 0 ? host : host.substring(0, colon);
    }

    private static String lower(String text) {
        return text.toLowerCase(Locale.ROOT);
    }
}
