package io.gpusched.server.config;

import java.nio.file.Path;
import java.util.List;

/// Where the server listens, and which callers it admits.
///
/// Loopback is open to every process on the machine. Any other address needs tokens and TLS, or the
/// server does not start: an open job API is a remote shell.
///
/// @param rateLimit requests per second of one caller; 0 for no limit
/// @param tenantKafka whether tenants may create bindings of Kafka
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
        int maxRequestBytes,
        boolean tenantKafka) {

    static final Setting<String> HOST =
            Setting.text(
                            "api.host",
                            "127.0.0.1",
                            "The address to listen on; any but loopback needs auth.enabled and"
                                    + " TLS.")
                    .alsoFrom("SCHEDULER_HOST");
    static final Setting<Long> HTTP_PORT =
            Setting.port("api.http_port", 8080, "The port of the REST API; 0 takes a free one.")
                    .alsoFrom("SCHEDULER_PORT");
    static final Setting<Long> GRPC_PORT =
            Setting.port(
                    "api.grpc_port", 9090, "The gRPC port, also for agents; 0 takes a free one.");
    static final Setting<Boolean> TLS =
            Setting.flag("api.enable_tls", false, "Whether all ports use TLS.");
    static final Setting<String> CERTIFICATE =
            Setting.text("api.tls_cert_file", "", "PEM file of the certificate and its chain.");
    static final Setting<String> PRIVATE_KEY =
            Setting.text("api.tls_key_file", "", "PEM file (PKCS 8) of the certificate's key.");
    static final Setting<Boolean> AUTH =
            Setting.flag("auth.enabled", false, "Whether every request must carry a token.");
    static final Setting<Boolean> CORS =
            Setting.flag("api.cors_enabled", true, "Whether cors_origins may call the API.");
    static final Setting<List<String>> CORS_ORIGINS =
            Setting.list(
                    "api.cors_origins",
                    "Web pages of these origins may call the API from a browser; none by default.");
    static final Setting<List<String>> ALLOWED_HOSTS =
            Setting.list(
                    "api.allowed_hosts",
                    "Further host names by which clients may address this server.");
    static final Setting<Long> RATE_LIMIT =
            Setting.count(
                    "api.rate_limit_rps",
                    100,
                    0,
                    1_000_000,
                    "requests per second",
                    "Rate limit of one caller; 0 for no limit, which is usual on loopback.");
    static final Setting<Long> MAX_REQUEST =
            Setting.count(
                    "api.max_request_kb", 1024, 1, 65_536, "KiB", "The largest body of a request.");
    static final Setting<Boolean> TENANT_KAFKA =
            Setting.flag(
                    "api.tenant_kafka_bindings",
                    false,
                    "Whether tenants may create bindings of Kafka, whose server can end a"
                            + " gateway.");
    static final List<Setting<?>> KEYS =
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
                    TENANT_KAFKA,
                    AUTH);

    static ApiSection from(SettingValues settingValues) {
        String host = settingValues.of(HOST);
        boolean auth = settingValues.of(AUTH);
        boolean tls = settingValues.of(TLS);
        if (!Loopback.is(host)) {
            requireLocks(settingValues, host, auth, tls);
        }
        if (tls
                && (settingValues.of(CERTIFICATE).isEmpty()
                        || settingValues.of(PRIVATE_KEY).isEmpty())) {
            throw new ConfigException(
                    "api.enable_tls (%s): expected api.tls_cert_file and api.tls_key_file too"
                            .formatted(settingValues.where(TLS)));
        }
        return new ApiSection(
                host,
                settingValues.number(HTTP_PORT),
                settingValues.number(GRPC_PORT),
                tls,
                Path.of(settingValues.of(CERTIFICATE)),
                Path.of(settingValues.of(PRIVATE_KEY)),
                auth,
                settingValues.of(CORS) ? settingValues.of(CORS_ORIGINS) : List.of(),
                settingValues.of(ALLOWED_HOSTS),
                settingValues.has(RATE_LIMIT) || !Loopback.is(host)
                        ? settingValues.of(RATE_LIMIT)
                        : 0,
                settingValues.number(MAX_REQUEST) * 1024,
                settingValues.of(TENANT_KAFKA));
    }

    private static void requireLocks(
            SettingValues settingValues, String host, boolean auth, boolean tls) {
        if (!auth || !tls) {
            throw new ConfigException(
                    """
                    api.host (%s): %s is reachable from other machines, so auth.enabled and \
                    api.enable_tls must be true. Set both (and api.tls_cert_file, api.tls_key_file), \
                    or listen on 127.0.0.1\
                    """
                            .formatted(settingValues.where(HOST), host));
        }
    }
}
