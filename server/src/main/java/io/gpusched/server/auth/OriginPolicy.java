package io.gpusched.server.auth;

import io.gpusched.server.config.ApiSection;
import io.gpusched.server.config.Loopback;

import org.jspecify.annotations.Nullable;

import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Keeps web pages from using a browser to reach a port that trusts its own machine.
///
/// A page can make a browser send requests to 127.0.0.1, directly (then the browser names the page
/// as `Origin`) or under a name that it points there (then `Host` is that name). Both are refused
/// unless they were let in by name.
public final class OriginPolicy {
    private final Set<String> hosts;
    private final Set<String> origins;
    private final boolean anyHost;
    private final boolean anyOrigin;

    /// The host allowed last. Nearly all requests name the same one, and comparing is cheaper than
    /// taking it apart.
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
        // Beyond loopback every request carries a token, which no foreign page has.
        this.anyHost = !Loopback.is(api.host()) && api.allowedHosts().isEmpty();
        this.anyOrigin = origins.contains("*") && api.auth();
    }

    /// Whether clients may call this server `host` (the header, with or without a port).
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

    /// Whether a page of `origin` may ask this server, which it calls `host`.
    public boolean allowsOrigin(String origin, String host) {
        String wanted = lower(origin);
        return anyOrigin
                || origins.contains(wanted)
                || wanted.equals("http://" + lower(host))
                || wanted.equals("https://" + lower(host));
    }

    /// Whether a page of `origin` was let in by name, so that its browser should be told so.
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
