package io.gpusched.core.state;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.TenantBuilder.aTenant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpusched.core.engine.Engine;
import io.gpusched.core.engine.EngineSettings;
import io.gpusched.core.engine.Policies;
import io.gpusched.core.event.Answer;
import io.gpusched.core.event.Command;
import io.gpusched.core.event.Event;
import io.gpusched.core.model.Check;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.JobSpec;

import org.junit.jupiter.api.Test;

import java.time.Instant;
import java.util.Objects;

/// A server has several engines. The jobs that wait are in all of them, as one object each.
final class SharedJobsTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    private final Engine deciding = engine();
    private final Engine following = engine();

    private static Engine engine() {
        return new Engine(
                Objects.requireNonNull(Policies.named("priority", EngineSettings.DEFAULT.policy())),
                EngineSettings.DEFAULT);
    }

    private void apply(Event event) {
        deciding.apply(event);
        following.apply(event);
    }

    private JobId submit(JobSpec spec, boolean held) {
        var answer =
                (Answer.Accepted) deciding.answer(new Command.Submit(spec, "", 0, held, "me"), NOW);
        answer.events().forEach(this::apply);
        return Objects.requireNonNull(answer.job());
    }

    private static Job job(Engine engine, JobId id) {
        return Objects.requireNonNull(engine.state().job(id));
    }

    @Test
    void enginesThatApplyOneSubmissionShareTheJob() {
        apply(new Event.TenantPut(NOW, aTenant(aJob().spec().tenant().name()).build(), "test"));
        JobId first = submit(aJob().gpus(2).spec(), false);
        JobId alike = submit(aJob().gpus(2).spec(), false);
        JobId held = submit(aJob().gpus(2).spec(), true);

        for (JobId id : new JobId[] {first, alike, held}) {
            assertThat(job(following, id)).isSameAs(job(deciding, id));
            assertThat(job(deciding, id).spec().roles())
                    .as("roles of %s", id)
                    .isSameAs(job(deciding, first).spec().roles());
        }
        assertThat(following.digest()).isEqualTo(deciding.digest());
    }

    @Test
    void aSubmissionOfAJobThatHasRunIsRefused() {
        Job old = Job.submitted(new JobId(1), aJob().spec(), NOW).withPriority(7, NOW);
        assertThatThrownBy(() -> new Event.JobSubmitted(old, "", 0, "me"))
                .isInstanceOf(Check.Broken.class)
                .hasMessageContaining("a submitted job is new");
    }
}
