package io.gpusched.server.intake;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.model.Labels;
import io.gpusched.core.model.TenantId;
import io.gpusched.core.pool.AgentClass;
import io.gpusched.core.pool.Pool;
import io.gpusched.core.pool.ScaleBehavior;
import io.gpusched.core.pool.Slo;
import io.gpusched.wire.pool.PoolRequest;
import io.gpusched.wire.request.JobRequest;
import io.gpusched.wire.request.JsonReader;
import io.gpusched.wire.request.Parsed;

import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

final class PoolDerivationTest {
    private static final JobRequest.Context CONTEXT = new JobRequest.Context(100, 8, true);

    private final PoolDerivation derivation =
            new PoolDerivation(
                    Map.of(
                            "helper",
                            new AgentClass(
                                    "helper",
                                    new TenantId("default"),
                                    "",
                                    new Slo(1000, 0, 0, 990),
                                    Labels.NONE)),
                    List.of());

    private static Pool pool(String scaling) {
        var json =
                """
                {"replica": {"command": ["serve"],
                  "labels": {"neuronetes.io/agent-class": "helper"}}, "scaling": {%s}}
                """
                        .formatted(scaling);
        var tree = new JsonReader(1 << 20).readObject(json.getBytes(StandardCharsets.UTF_8));
        var parsed = new PoolRequest().read(tree, "chat", CONTEXT);
        return ((Parsed.Valid<Pool, ?>) parsed).value();
    }

    @Test
    void aPoolThatGetsTheLawSloFromItsClassShrinksAsTheLawIsMeasured() {
        Pool complete = derivation.complete(pool(""));
        assertThat(complete.scaling().law()).isEqualTo("slo");
        assertThat(complete.scaling().down()).isEqualTo(ScaleBehavior.DOWN_SOON);
    }

    @Test
    void aWayToShrinkThatWasSetStays() {
        Pool complete =
                derivation.complete(pool("\"scale_down\": {\"stabilization_seconds\": 90}"));
        assertThat(complete.scaling().law()).isEqualTo("slo");
        assertThat(complete.scaling().down().stabilization()).hasSeconds(90);
    }
}
