package io.gpusched.operator;

import io.gpusched.operator.kube.KubeApi;
import io.gpusched.operator.webhook.CachedView;
import io.gpusched.operator.webhook.PodScoring;
import io.gpusched.operator.webhook.RestGpuScorer;
import io.gpusched.operator.webhook.Webhook;

import java.io.IOException;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.BooleanSupplier;

import javax.net.ssl.SSLContext;

/// The webhook with all that it needs. Every operator has one, also one that does not lead: API
/// servers call any of them.
final class ScoringWebhook implements AutoCloseable {
    /// Shorter than the API server waits.
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final CachedView view;
    private final RestGpuScorer scorer;
    private final Webhook webhook;

    ScoringWebhook(
            KubeApi api,
            Webhook.Settings settings,
            OperatorSettings.Scheduler scheduler,
            BooleanSupplier isLeader)
            throws IOException {
        view = new CachedView(api);
        scorer = new RestGpuScorer(scheduler.rest(), tls(scheduler), scheduler.token(), PATIENCE);
        webhook =
                new Webhook(
                        api,
                        settings,
                        new PodScoring(scorer, view, InstantSource.system()),
                        scorer,
                        isLeader);
        view.start();
    }

    private static SSLContext tls(OperatorSettings.Scheduler scheduler) {
        try {
            SSLContext given = scheduler.tls();
            return given == null ? SSLContext.getDefault() : given;
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has TLS", e);
        }
    }

    @Override
    public void close() {
        webhook.close();
        scorer.close();
        view.close();
    }
}
