package io.gpusched.operator.webhook;

import io.gpusched.operator.kube.KubeApi;
import io.gpusched.operator.kube.KubeException;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/// A running webhook: its server, and the thread that looks after its certificate.
public final class Webhook implements AutoCloseable {
    /// @param port to listen on; 0 for any
    /// @param namespace of the release
    /// @param service the name of the Service in front of the operators
    /// @param secret the Secret for the certificate
    /// @param configuration the MutatingWebhookConfiguration
    public record Settings(
            int port, String namespace, String service, String secret, String configuration) {
        CertificateKeeper.Place place() {
            return new CertificateKeeper.Place(
                    namespace,
                    secret,
                    configuration,
                    List.of(service + "." + namespace + ".svc", service + "." + namespace));
        }
    }

    private static final Logger LOG = LoggerFactory.getLogger(Webhook.class);
    private static final Duration PAUSE = Duration.ofMinutes(1);
    private static final Duration PAUSE_AFTER_FAILURE = Duration.ofSeconds(5);

    private final CertificateKeeper keeper;
    private final BooleanSupplier isLeader;
    private final ServedKeys keys = new ServedKeys();
    private final WebhookServer server;
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Thread thread;

    /// @param isLeader whether this operator may write
    public Webhook(
            KubeApi api,
            Settings settings,
            PodScoring scoring,
            GpuScorer scorer,
            BooleanSupplier isLeader)
            throws IOException {
        this.isLeader = isLeader;
        this.keeper =
                new CertificateKeeper(api, settings.place(), keys::show, InstantSource.system());
        this.server = new WebhookServer(settings.port, keys, new AdmissionReviews(scoring), scorer);
        this.thread = Thread.ofVirtual().name("webhook-certificate").start(this::look);
    }

    private void look() {
        try {
            boolean isOver = false;
            while (!isOver) {
                Duration pause = check() ? PAUSE : PAUSE_AFTER_FAILURE;
                isOver = closing.await(pause.toMillis(), TimeUnit.MILLISECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean check() {
        try {
            keeper.check(isLeader.getAsBoolean());
            return keys.isReady();
        } catch (KubeException e) {
            LOG.warn("cannot look after the certificate of the webhook: {}", e.getMessage());
            return false;
        }
    }

    public int port() {
        return server.port();
    }

    @Override
    public void close() {
        closing.countDown();
        thread.interrupt();
        server.close();
    }
}
