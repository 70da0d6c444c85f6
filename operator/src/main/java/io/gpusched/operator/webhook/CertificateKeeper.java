package io.gpusched.operator.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.gpusched.operator.kube.KubeApi;
import io.gpusched.operator.kube.KubeException;
import io.gpusched.operator.kube.ResourceType;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.function.Consumer;

/// Makes the certificate of the webhook, renews it in time, and tells the API server to trust it.
///
/// All operators of a release share the certificate in a Secret; only the leader writes. A new one
/// is trusted, beside the old one, before anybody shows it:
///
///     leader   trust old and new  →  Secret has the new one
///     others                                              →  show the new one within a minute
final class CertificateKeeper {
    /// Which objects belong to the webhook.
    ///
    /// @param secret in the namespace; made if it is missing
    /// @param configuration the MutatingWebhookConfiguration; its first webhook is this one
    record Place(String namespace, String secret, String configuration, List<String> names) {}

    static final ResourceType CONFIGURATIONS =
            new ResourceType(
                    "admissionregistration.k8s.io",
                    "v1",
                    "mutatingwebhookconfigurations",
                    "MutatingWebhookConfiguration",
                    false);

    private static final Logger LOG = LoggerFactory.getLogger(CertificateKeeper.class);
    private static final Duration LIFE = Duration.ofDays(90);
    private static final Duration RENEWED_BEFORE = Duration.ofDays(30);

    private final KubeApi api;
    private final Place place;
    private final Consumer<ServingCertificate> shown;
    private final InstantSource clock;

    /// @param shown hears of each certificate that is to be shown
    CertificateKeeper(
            KubeApi api, Place place, Consumer<ServingCertificate> shown, InstantSource clock) {
        this.api = api;
        this.place = place;
        this.shown = shown;
        this.clock = clock;
    }

    /// Looks after everything once; to be called about every minute. A [KubeException] is worth
    /// another try.
    void check(boolean isLeader) {
        ObjectNode secret = secret();
        ServingCertificate current = secret == null ? null : certificate(secret);
        Instant now = clock.instant();
        if (isLeader
                && (current == null || !current.isGoodFor(place.names, now.plus(RENEWED_BEFORE)))) {
            var next = ServingCertificate.make(place.names, now, LIFE);
            String before = current == null ? "" : current.certificatePem();
            trust(next.certificatePem() + before);
            write(secret, next);
            LOG.info("the webhook has a certificate until {}", now.plus(LIFE));
            current = next;
        } else if (isLeader && current != null) {
            trustAtLeast(current.certificatePem());
        }
        if (current != null) {
            shown.accept(current);
        }
    }

    private @Nullable ObjectNode secret() {
        try {
            return api.get(ResourceType.SECRETS, place.namespace, place.secret);
        } catch (KubeException e) {
            if (e.isNotFound()) {
                return null;
            }
            throw e;
        }
    }

    /// The chart makes an empty Secret. One with something else is written anew.
    private static @Nullable ServingCertificate certificate(JsonNode secret) {
        if (!secret.path("data").has("tls.crt")) {
            return null;
        }
        try {
            return ServingCertificate.read(
                    text(secret.path("data"), "tls.crt"), text(secret.path("data"), "tls.key"));
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            LOG.warn("the certificate of the webhook is not readable: {}", e.getMessage());
            return null;
        }
    }

    private static String text(JsonNode data, String key) {
        byte[] content = Base64.getDecoder().decode(data.path(key).asText(""));
        return new String(content, StandardCharsets.US_ASCII);
    }

    private void write(@Nullable ObjectNode before, ServingCertificate certificate) {
        ObjectNode secret =
                before == null ? JsonNodeFactory.instance.objectNode() : before.deepCopy();
        ObjectNode data = secret.putObject("data");
        data.put("tls.crt", base64(certificate.certificatePem()));
        data.put("tls.key", base64(certificate.keyPem()));
        if (before == null) {
            secret.put("type", "kubernetes.io/tls");
            secret.putObject("metadata").put("name", place.secret);
            api.create(ResourceType.SECRETS, place.namespace, secret);
        } else {
            api.replace(ResourceType.SECRETS, place.namespace, place.secret, secret);
        }
    }

    /// An upgrade of the chart may have removed it.
    private void trustAtLeast(String certificate) {
        ObjectNode configuration = api.get(CONFIGURATIONS, "", place.configuration);
        String bundle = configuration.at("/webhooks/0/clientConfig/caBundle").asText("");
        String trusted = new String(Base64.getDecoder().decode(bundle), StandardCharsets.US_ASCII);
        if (!trusted.contains(certificate.strip())) {
            trust(certificate);
        }
    }

    private void trust(String bundle) {
        ArrayNode patch = JsonNodeFactory.instance.arrayNode();
        patch.addObject()
                .put("op", "add")
                .put("path", "/webhooks/0/clientConfig/caBundle")
                .put("value", base64(bundle));
        api.patch(CONFIGURATIONS, "", place.configuration, "", KubeApi.PatchKind.JSON, patch);
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.US_ASCII));
    }
}
