package io.gpusched.server.cell;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.event.Command;
import io.gpusched.core.event.Input;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.Labels;
import io.gpusched.core.model.Payload;

import org.junit.jupiter.api.Test;

import java.util.List;

/// Every field that users can make large counts with at least its length.
final class InputSizeTest {
    private static final String LONG = "x".repeat(100_000);

    @Test
    void everyPartOfASubmissionThatCanBeLongIsWeighed() {
        assertThat(InputSize.of(submit(payload("", List.of(), Labels.NONE), Labels.NONE)))
                .isLessThan(LONG.length());
        List<Payload> heavy =
                List.of(
                        payload(LONG, List.of(), Labels.NONE),
                        payload("", List.of("sh", LONG), Labels.NONE),
                        payload("", List.of(), Labels.of("NAME", LONG)),
                        payload("", List.of(), Labels.of(LONG, "value")));
        for (Payload payload : heavy) {
            assertThat(InputSize.of(submit(payload, Labels.NONE))).isGreaterThan(LONG.length());
        }
        Payload light = payload("", List.of(), Labels.NONE);
        assertThat(InputSize.of(submit(light, Labels.of("note", LONG))))
                .isGreaterThan(LONG.length());
    }

    private static Payload payload(String script, List<String> words, Labels environment) {
        return new Payload(script, words, words, environment, "", "");
    }

    private static Input submit(Payload payload, Labels labels) {
        var plain = ((Command.Submit) Submissions.submit("")).spec();
        var spec =
                JobSpec.builder(plain.tenant(), plain.roles())
                        .name(plain.name())
                        .priority(plain.priority())
                        .kind(plain.kind())
                        .near(plain.near())
                        .limit(plain.limit())
                        .onLoss(plain.onLoss())
                        .payload(payload)
                        .labels(labels)
                        .build();
        return new Command.Submit(spec, "", 0, false, "test");
    }
}
