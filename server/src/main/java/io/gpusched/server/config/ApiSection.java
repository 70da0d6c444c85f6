package io.gpusched.server.config;

import java.nio.file.Path;
import java.util.List;

/// Where the server listens, and to whom.
///
/// Loopback is open to everybody on the machine. Every other address needs tokens and TLS, or the
/// server does not start: an open job API is a remote shell.
///
/// @param rateLimit requests per second of one caller; 0 for no limit
public record ApiSection(
        String host,
        int httpPort,
        int grpcPort,
        boolean tls,
        Path certificate,
        Path privateKey,
        boolean auth,
        List<String> corsOrigins,
        List<String> allowedHosts,
        long rateLimit,
        int maxRequestBytes) {

    static final Key<String> HOST =
            Key.text(
                            "api.host",
                            "127.0.0.1",
                            "The address to listen on; any but loopback needs auth.enabled and"
                                    + " TLS.")
                    .alsoFrom("SCHEDULER_HOST");
    static final Key<Long> HTTP_PORT =
            Key.port("api.http_port", 8080, "The port of the REST API; 0 takes a free one.")
                    .alsoFrom("SCHEDULER_PORT");
    static final Key<Long> GRPC_PORT =
            Key.port(
                    "api.grpc_port", 9090, "The port of gRPC, for agents too; 0 takes a free one.");
    static final Key<Boolean> TLS =
            Key.flag("api.enable_tls", false, "Whether all ports speak TLS.");
    static final Key<String> CERTIFICATE =
            Key.text("api.tls_cert_file", "", "PEM file of the certificate and its chain.");
    static final Key<String> PRIVATE_KEY =
            Key.text("api.tls_key_file", "", "PEM file (PKCS 8) of the certificate's key.");
    static final Key<Boolean> AUTH =
            Key.flag("auth.enabled", false, "Whether every request must carry a token.");
    static final Key<Boolean> CORS =
            Key.flag("api.cors_enabled", true, "Whether cors_origins are let in.");
    static final Key<List<String>> CORS_ORIGINS =
            Key.list(
                    "api.cors_origins",
                    "Web pages of these origins may call the API from a browser; none by default.");
    static final Key<List<String>> ALLOWED_HOSTS =
            Key.list(
                    "api.allowed_hosts",
                    "Further names under which clients may address this server.");
    static final Key<Long> RATE_LIMIT =
            Key.count(
                    "api.rate_limit_rps",
                    100,
                    0,
                    1_000_000,
                    "requests per second",
                    "How much one caller may ask; 0 for no limit, which is usual on loopback.");
    static final Key<Long> MAX_REQUEST =
            Key.count(
                    "api.max_request_kb", 1024, 1, 65_536, "KiB", "The largest body of a request.");
    static final List<Key<?>> KEYS =
            List.of(
                    HOST,
                    HTTP_PORT,
                    GRPC_PORT,
                    TLS,
                    CERTIFICATE,
                    PRIVATE_KEY,
                    CORS,
                    CORS_ORIGINS,
                    ALLOWED_HOSTS,
                    RATE_LIMIT,
                    MAX_REQUEST,
                    AUTH);

    static ApiSection from(Values values) {
        String host = values.of(HOST);
        boolean auth = values.of(AUTH);
        boolean tls = values.of(TLS);
        if (!Loopback.is(host)) {
            requireLocks(values, host, auth, tls);
        }
        if (tls && (values.of(CERTIFICATE).isEmpty() || values.of(PRIVATE_KEY).isEmpty())) {
            throw new ConfigFault(
                    "api.enable_tls (%s): expected api.tls_cert_file and api.tls_key_file too"
                            .formatted(values.where(TLS)));
        }
        return new ApiSection(
                host,
                values.number(HTTP_PORT),
                values.number(GRPC_PORT),
                tls,
                Path.of(values.of(CERTIFICATE)),
                Path.of(values.of(PRIVATE_KEY)),
                auth,
                values.of(CORS) ? values.of(CORS_ORIGINS) : List.of(),
                values.of(ALLOWED_HOSTS),
                values.has(RATE_LIMIT) || !Loopback.is(host) ? values.of(RATE_LIMIT) : 0,
                values.number(MAX_REQUEST) * 1024);
    }

    private static void requireLocks(Values values, String host, boolean auth, boolean tls) {
        if (!auth || !tls) {
            throw new ConfigFault(
                    """
                    api.host (%s): %s is reachable from other machines, so auth.enabled and \
                    api.enable_tls must be true. Set both (and api.tls_cert_file, api.tls_key_file), \
                    or listen on 127.0.0.1\
                    """
                            .formatted(values.where(HOST), host));
        }
    }
}
