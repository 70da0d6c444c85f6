package io.gpusched.operator;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Option;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.UUID;
import java.util.function.Supplier;

import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/// The options of `bin/operator`. Each has an environment variable as well.
@SuppressWarnings("NullAway.Init")
final class OperatorOptions {
    private static final int MOST_PORT = 65_535;

    @Option(
            names = "--kubeconfig",
            paramLabel = "FILE",
            defaultValue = "",
            description =
                    "Cluster to work for (default KUBECONFIG, the service account of the pod, or"
                            + " ~/.kube/config).")
    private String kubeconfig;

    @Option(
            names = "--context",
            paramLabel = "NAME",
            defaultValue = "",
            description = "Context of the kubeconfig (default its current one).")
    private String context;

    @Option(
            names = "--scheduler",
            paramLabel = "URL",
            defaultValue = "${env:GPU_SCHEDULER_API_URL:-http://localhost:8080}",
            description =
                    "Address of the scheduler (GPU_SCHEDULER_API_URL; default ${DEFAULT-VALUE}).")
    private String scheduler;

    @Option(
            names = "--scheduler-token-file",
            paramLabel = "FILE",
            defaultValue = "${env:GPU_SCHEDULER_TOKEN_FILE:-}",
            description =
                    "File with an administrator's token of the scheduler"
                            + " (GPU_SCHEDULER_TOKEN_FILE; default none).")
    private String tokenFile;

    @Option(
            names = "--agent-server",
            paramLabel = "HOST:PORT",
            defaultValue = "${env:GPU_SCHEDULER_AGENT_SERVER:-localhost:9090}",
            description =
                    "Address of the scheduler for agents (GPU_SCHEDULER_AGENT_SERVER; default"
                            + " ${DEFAULT-VALUE}).")
    private String agentServer;

    @Option(
            names = "--join-token-file",
            paramLabel = "FILE",
            defaultValue = "${env:GPU_SCHEDULER_JOIN_TOKEN_FILE:-}",
            description =
                    "File with a join token for agents (GPU_SCHEDULER_JOIN_TOKEN_FILE; default"
                            + " none).")
    private String joinTokenFile;

    @Option(
            names = "--tls",
            defaultValue = "${env:GPU_OPERATOR_TLS:-false}",
            description = "Use TLS for --agent-server (GPU_OPERATOR_TLS; default false).")
    private boolean tls;

    @Option(
            names = "--cacert",
            paramLabel = "FILE",
            defaultValue = "${env:GPU_SCHEDULER_CACERT:-}",
            description =
                    "PEM certificates to trust for the scheduler (GPU_SCHEDULER_CACERT; default"
                            + " those of the JDK).")
    private String authorities;

    @Option(
            names = "--id",
            paramLabel = "NAME",
            defaultValue = "${env:GPU_OPERATOR_ID:-}",
            description =
                    "Name of the cluster as an agent (GPU_OPERATOR_ID; default cluster- and the"
                            + " first digits of its UID).")
    private String id;

    @Option(
            names = "--scheduler-name",
            paramLabel = "NAME",
            defaultValue = "${env:GPU_OPERATOR_SCHEDULER_NAME:-gpu-scheduler}",
            description =
                    "Pods with this schedulerName are scheduled (GPU_OPERATOR_SCHEDULER_NAME;"
                            + " default ${DEFAULT-VALUE}).")
    private String schedulerName;

    @Option(
            names = "--namespace",
            paramLabel = "NAME",
            defaultValue = "${env:GPU_OPERATOR_NAMESPACE:-}",
            description =
                    "Schedule only pods of this namespace (GPU_OPERATOR_NAMESPACE; default all).")
    private String namespace;

    @Option(
            names = "--in-flight",
            paramLabel = "N",
            defaultValue = "${env:GPU_OPERATOR_IN_FLIGHT:-64}",
            description =
                    "Most requests about pods at a time (GPU_OPERATOR_IN_FLIGHT; default 64).")
    private int inFlight;

    @Option(
            names = "--leader-elect",
            defaultValue = "${env:GPU_OPERATOR_LEADER_ELECT:-false}",
            description =
                    "Work only while holding the Lease gpu-scheduler-operator, so that a second"
                            + " operator can stand by (GPU_OPERATOR_LEADER_ELECT; default false).")
    private boolean leaderElect;

    @Option(
            names = "--lease-namespace",
            paramLabel = "NAME",
            defaultValue = "${env:POD_NAMESPACE:-kube-system}",
            description = "Namespace of the Lease (POD_NAMESPACE; default kube-system).")
    private String leaseNamespace;

    @Option(
            names = "--health-port",
            paramLabel = "PORT",
            defaultValue = "${env:GPU_OPERATOR_HEALTH_PORT:-8081}",
            description =
                    "Port of /healthz, /readyz and /metrics; 0 for any, -1 for none"
                            + " (GPU_OPERATOR_HEALTH_PORT; default 8081).")
    private int healthPort;

    String kubeconfig() {
        return kubeconfig;
    }

    String context() {
        return context;
    }

    /// @throws UnusableOption if an option has no usable value
    OperatorSettings settings() {
        if (inFlight < 1) {
            throw new UnusableOption("--in-flight: expected a number from 1 on, found " + inFlight);
        }
        if (healthPort < -1 || healthPort > MOST_PORT) {
            throw new UnusableOption("--health-port: expected -1 to 65535, found " + healthPort);
        }
        if (schedulerName.isBlank()) {
            throw new UnusableOption("--scheduler-name: expected a name, found none");
        }
        return new OperatorSettings(
                new OperatorSettings.Scheduler(
                        url(scheduler),
                        secret("--scheduler-token-file", tokenFile),
                        trusted(),
                        address(agentServer),
                        secret("--join-token-file", joinTokenFile),
                        tls || !authorities.isEmpty(),
                        authorities),
                id,
                schedulerName,
                namespace,
                inFlight,
                new OperatorSettings.Election(
                        leaderElect, leaseNamespace, hostName() + "_" + UUID.randomUUID()),
                healthPort);
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
        throw new UnusableOption(
                "--scheduler: expected an address such as http://localhost:8080, found " + text);
    }

    /// It is resolved when it is used, and again for every connection.
    private static InetSocketAddress address(String text) {
        int colon = text.lastIndexOf(':');
        String port = text.substring(colon + 1);
        if (colon <= 0 || !port.matches("[0-9]{1,5}") || Integer.parseInt(port) > MOST_PORT) {
            throw new UnusableOption(
                    "--agent-server: expected HOST:PORT such as localhost:9090, found " + text);
        }
        return InetSocketAddress.createUnresolved(text.substring(0, colon), Integer.parseInt(port));
    }

    /// The content of a file, read again whenever it is asked for.
    private static Supplier<String> secret(String option, String file) {
        if (file.isEmpty()) {
            return () -> "";
        }
        Path path = Path.of(file);
        Supplier<String> secret =
                () -> {
                    try {
                        return Files.readString(path).strip();
                    } catch (IOException e) {
                        throw new UnusableOption(
                                "%s: cannot read %s: %s".formatted(option, file, e));
                    }
                };
        String _ = secret.get();
        return secret;
    }

    private @Nullable SSLContext trusted() {
        if (authorities.isEmpty()) {
            return null;
        }
        try (InputStream in = Files.newInputStream(Path.of(authorities))) {
            var store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            int count = 0;
            for (var each : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
                store.setCertificateEntry("authority-" + count++, each);
            }
            if (count == 0) {
                throw new UnusableOption("--cacert: " + authorities + " has no certificate");
            }
            var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(store);
            var tlsContext = SSLContext.getInstance("TLS");
            tlsContext.init(null, trust.getTrustManagers(), null);
            return tlsContext;
        } catch (IOException | GeneralSecurityException e) {
            throw new UnusableOption(
                    "--cacert: expected a file of PEM certificates, found %s: %s"
                            .formatted(authorities, e.getMessage()));
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
