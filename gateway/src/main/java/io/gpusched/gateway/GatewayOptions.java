package io.gpusched.gateway;

import io.gpusched.gateway.proxy.ProxyLimits;
import io.gpusched.gateway.scheduler.SchedulerLink;
import io.gpusched.gateway.scrape.ReplicaWatch;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Option;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

import javax.net.ssl.SSLContext;

/// The options of `bin/gateway`. Each has an environment variable as well.
@SuppressWarnings("NullAway.Init")
final class GatewayOptions {
    private static final int LONGEST_ID = 128;

    @Option(
            names = "--scheduler",
            paramLabel = "URL",
            defaultValue = "${env:GPU_SCHEDULER_API_URL:-http://localhost:8080}",
            description =
                    "Address of the scheduler (GPU_SCHEDULER_API_URL; default ${DEFAULT-VALUE}).")
    private String scheduler;

    @Option(
            names = "--token",
            paramLabel = "TOKEN",
            defaultValue = "${env:GPU_SCHEDULER_TOKEN:-}",
            description =
                    "Token of the gateway for the scheduler (GPU_SCHEDULER_TOKEN; default none).")
    private String token;

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            defaultValue = "${env:GPU_SCHEDULER_TOKEN_FILE:-}",
            description = "File that contains the token (GPU_SCHEDULER_TOKEN_FILE; default none).")
    private String tokenFile;

    @Option(
            names = "--cacert",
            paramLabel = "FILE",
            defaultValue = "${env:GPU_SCHEDULER_CACERT:-}",
            description =
                    "PEM certificates to trust for the scheduler (GPU_SCHEDULER_CACERT; default"
                            + " those of the JDK).")
    private String authorities;

    @Option(
            names = "--listen",
            paramLabel = "HOST:PORT",
            defaultValue = "${env:GPU_GATEWAY_LISTEN:-127.0.0.1:8090}",
            description =
                    "Address for clients and for /metrics (GPU_GATEWAY_LISTEN; default"
                            + " ${DEFAULT-VALUE}).")
    private String listen;

    @Option(
            names = "--id",
            paramLabel = "NAME",
            defaultValue = "${env:GPU_GATEWAY_ID:-}",
            description =
                    "Name of this gateway in its reports; must differ between gateways"
                            + " (GPU_GATEWAY_ID; default gateway-HOST-PORT).")
    private String id;

    @Option(
            names = "--open",
            defaultValue = "${env:GPU_GATEWAY_OPEN:-false}",
            description = "Ask clients for no key (GPU_GATEWAY_OPEN; default false).")
    private boolean open;

    @Option(
            names = "--tenant-tokens",
            paramLabel = "N",
            defaultValue = "${env:GPU_GATEWAY_TENANT_TOKENS:-0}",
            description =
                    "Prompt and output tokens per second of each tenant (GPU_GATEWAY_TENANT_TOKENS;"
                            + " default 0, no limit).")
    private double tenantTokens;

    @Option(
            names = "--tenant-rate",
            paramLabel = "TENANT=N",
            description = "Tokens per second of one tenant; may be repeated.")
    private @Nullable Map<String, Double> tenantRates;

    @Option(
            names = "--max-body",
            paramLabel = "BYTES",
            defaultValue = "${env:GPU_GATEWAY_MAX_BODY:-8388608}",
            description = "Largest body of a request (GPU_GATEWAY_MAX_BODY; default 8388608).")
    private int maxBody;

    @Option(
            names = "--max-buffered",
            paramLabel = "BYTES",
            defaultValue = "${env:GPU_GATEWAY_MAX_BUFFERED:-268435456}",
            description =
                    "Bytes of all requests that arrive, wait or run (GPU_GATEWAY_MAX_BUFFERED;"
                            + " default 268435456).")
    private long maxBuffered;

    @Option(
            names = "--max-connections",
            paramLabel = "N",
            defaultValue = "${env:GPU_GATEWAY_MAX_CONNECTIONS:-10000}",
            description = "Most clients at a time (GPU_GATEWAY_MAX_CONNECTIONS; default 10000).")
    private int maxConnections;

    @Option(
            names = "--max-held",
            paramLabel = "N",
            defaultValue = "${env:GPU_GATEWAY_MAX_HELD:-1000}",
            description =
                    "Most requests of one pool that wait for a replica (GPU_GATEWAY_MAX_HELD;"
                            + " default 1000).")
    private int maxHeld;

    @Option(
            names = "--hold-seconds",
            paramLabel = "SECONDS",
            defaultValue = "${env:GPU_GATEWAY_HOLD_SECONDS:-300}",
            description =
                    "How long a request waits for a replica (GPU_GATEWAY_HOLD_SECONDS; default"
                            + " 300).")
    private int holdSeconds;

    @Option(
            names = "--replica-requests",
            paramLabel = "N",
            defaultValue = "${env:GPU_GATEWAY_REPLICA_REQUESTS:-512}",
            description =
                    "Most requests of one replica at a time (GPU_GATEWAY_REPLICA_REQUESTS; default"
                            + " 512).")
    private int replicaRequests;

    @Option(
            names = "--retries",
            paramLabel = "N",
            defaultValue = "${env:GPU_GATEWAY_RETRIES:-3}",
            description =
                    "How often a request is sent to another replica before its answer has begun"
                            + " (GPU_GATEWAY_RETRIES; default 3).")
    private int retries;

    @Option(
            names = "--answer-seconds",
            paramLabel = "SECONDS",
            defaultValue = "${env:GPU_GATEWAY_ANSWER_SECONDS:-600}",
            description =
                    "Longest time to the first byte of an answer (GPU_GATEWAY_ANSWER_SECONDS;"
                            + " default 600).")
    private int answerSeconds;

    @Option(
            names = "--silence-seconds",
            paramLabel = "SECONDS",
            defaultValue = "${env:GPU_GATEWAY_SILENCE_SECONDS:-120}",
            description =
                    "Longest silence within an answer (GPU_GATEWAY_SILENCE_SECONDS; default 120).")
    private int silenceSeconds;

    @Option(
            names = "--client-seconds",
            paramLabel = "SECONDS",
            defaultValue = "${env:GPU_GATEWAY_CLIENT_SECONDS:-30}",
            description =
                    "How long a client may send or take nothing within a request"
                            + " (GPU_GATEWAY_CLIENT_SECONDS; default 30).")
    private int clientSeconds;

    @Option(
            names = "--poll-ms",
            paramLabel = "MS",
            defaultValue = "${env:GPU_GATEWAY_POLL_MS:-1000}",
            description =
                    "Time between two looks at the pools (GPU_GATEWAY_POLL_MS; default 1000).")
    private int pollMillis;

    @Option(
            names = "--report-ms",
            paramLabel = "MS",
            defaultValue = "${env:GPU_GATEWAY_REPORT_MS:-1000}",
            description = "Time between two load reports (GPU_GATEWAY_REPORT_MS; default 1000).")
    private int reportMillis;

    @Option(
            names = "--probe-ms",
            paramLabel = "MS",
            defaultValue = "${env:GPU_GATEWAY_PROBE_MS:-1000}",
            description =
                    "Time between two health probes of a replica (GPU_GATEWAY_PROBE_MS; default"
                            + " 1000).")
    private int probeMillis;

    @Option(
            names = "--scrape-ms",
            paramLabel = "MS",
            defaultValue = "${env:GPU_GATEWAY_SCRAPE_MS:-5000}",
            description =
                    "Time between two scrapes of a replica's metrics (GPU_GATEWAY_SCRAPE_MS;"
                            + " default 5000).")
    private int scrapeMillis;

    @Option(
            names = "--shutdown-seconds",
            paramLabel = "SECONDS",
            defaultValue = "${env:GPU_GATEWAY_SHUTDOWN_SECONDS:-30}",
            description =
                    "How long running answers may go on after the gateway was told to stop"
                            + " (GPU_GATEWAY_SHUTDOWN_SECONDS; default 30).")
    private int shutdownSeconds;

    Duration shutdown() {
        return Duration.ofSeconds(positive("--shutdown-seconds", shutdownSeconds));
    }

    boolean isOpen() {
        return open;
    }

    /// @throws InvalidOption if an option has no usable value
    GatewaySettings settings() {
        InetSocketAddress address = address(listen);
        return new GatewaySettings(
                source(address),
                url(scheduler),
                token(),
                trusted(),
                address,
                open,
                tenantTokens,
                tenantRates == null ? Map.of() : new LinkedHashMap<>(tenantRates),
                limits(),
                new SchedulerLink.Pace(
                        Duration.ofMillis(positive("--poll-ms", pollMillis)),
                        Duration.ofMillis(positive("--report-ms", reportMillis))),
                new ReplicaWatch.Pace(
                        Duration.ofMillis(positive("--probe-ms", probeMillis)),
                        Duration.ofMillis(positive("--scrape-ms", scrapeMillis)),
                        Duration.ofSeconds(2)));
    }

    /// The name is in every report, and the scheduler takes no longer one.
    private String source(InetSocketAddress address) {
        String name = id.isEmpty() ? "gateway-" + hostName() + "-" + address.getPort() : id;
        if (name.isBlank() || name.length() > LONGEST_ID) {
            throw new InvalidOption(
                    "--id: expected a name of 1 to %s characters, found %s: %s"
                            .formatted(LONGEST_ID, name.length(), name));
        }
        return name;
    }

    private ProxyLimits limits() {
        return new ProxyLimits(
                positive("--max-body", maxBody),
                maxBuffered,
                positive("--max-connections", maxConnections),
                maxHeld,
                Duration.ofSeconds(positive("--hold-seconds", holdSeconds)),
                positive("--replica-requests", replicaRequests),
                retries,
                new ProxyLimits.Timeouts(
                        Duration.ofSeconds(2),
                        Duration.ofSeconds(positive("--answer-seconds", answerSeconds)),
                        Duration.ofSeconds(positive("--silence-seconds", silenceSeconds)),
                        Duration.ofSeconds(positive("--client-seconds", clientSeconds)),
                        Duration.ofSeconds(75)));
    }

    private static int positive(String option, int value) {
        if (value < 1) {
            throw new InvalidOption(option + ": expected a number from 1 on, found " + value);
        }
        return value;
    }

    private static URI url(String text) {
        try {
            URI url = URI.create(text);
            if (url.getHost() != null
                    && ("http".equals(url.getScheme()) || "https".equals(url.getScheme()))) {
                return url;
            }
        } catch (IllegalArgumentException _) {
            // Reported below like every other text that is not an address.
        }
        throw new InvalidOption(
                "--scheduler: expected an address such as http://localhost:8080, found " + text);
    }

    private static InetSocketAddress address(String text) {
        int colon = text.lastIndexOf(':');
        String port = text.substring(colon + 1);
        if (colon <= 0 || !port.matches("[0-9]{1,5}") || Integer.parseInt(port) > 65_535) {
            throw new InvalidOption(
                    "--listen: expected HOST:PORT such as 127.0.0.1:8090, found " + text);
        }
        String host = text.substring(0, colon).replaceAll("^\\[|\\]$", "");
        var address = new InetSocketAddress(host, Integer.parseInt(port));
        if (address.isUnresolved()) {
            throw new InvalidOption("--listen: the host " + host + " is not known");
        }
        return address;
    }

    private String token() {
        if (tokenFile.isEmpty()) {
            return token.strip();
        }
        try {
            return Files.readString(Path.of(tokenFile)).strip();
        } catch (IOException e) {
            throw new InvalidOption("--token-file: cannot read " + tokenFile + ": " + e);
        }
    }

    private @Nullable SSLContext trusted() {
        try {
            return authorities.isEmpty() ? null : TrustedCertificates.of(Path.of(authorities));
        } catch (IOException e) {
            throw new InvalidOption("--cacert: cannot use " + authorities + ": " + e.getMessage());
        }
    }

    private static String hostName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "localhost";
        }
    }
}
