package io.gpusched.server.cell;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.event.Command;
import io.gpusched.core.event.Input;
import io.gpusched.core.model.GpuRequest;
import io.gpusched.core.model.Interruption;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.Labels;
import io.gpusched.core.model.Payload;
import io.gpusched.core.model.Resources;
import io.gpusched.core.model.Role;
import io.gpusched.core.model.Shape;
import io.gpusched.core.model.Tenant;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;

final class InboxTest {
    private static final int MIB = 1 << 20;

    private final Inbox inbox = new Inbox(100);

    @Test
    void heavyLettersAreTakenAFewAtATimeAndNoneIsLeftBehind() throws InterruptedException {
        for (int i = 0; i < 10; i++) {
            put(submit("x".repeat(MIB)));
        }
        put(submit("x".repeat(5 * MIB)));
        assertThat(take(100, 4 * MIB)).hasSize(4);
        assertThat(take(100, 4 * MIB)).hasSize(4);
        assertThat(take(100, 4 * MIB)).as("what is too heavy goes too").hasSize(3);
        assertThat(take(100, 4 * MIB)).isEmpty();
    }

    @Test
    void lightLettersAreTakenUpToTheirNumber() throws InterruptedException {
        for (int i = 0; i < 10; i++) {
            put(new Command.Cancel(new JobId(1 + i), "test"));
        }
        inbox.ring();
        assertThat(take(7, 4 * MIB)).hasSize(7);
        assertThat(take(7, 4 * MIB)).hasSize(3);
    }

    private void put(Input input) {
        assertThat(inbox.offer(new Inbox.Letter(input, answer -> {}))).isTrue();
    }

    private List<Inbox.Letter> take(int most, long bytes) throws InterruptedException {
        return inbox.take(Duration.ofMillis(1), most, bytes);
    }

    private static Input submit(String script) {
        var shape = Shape.of(GpuRequest.whole(1, 0), Resources.cores(1, 0));
        var payload = new Payload(script, List.of(), List.of(), Labels.NONE, "", "");
        var spec =
                new JobSpec(
                        "job",
                        Tenant.DEFAULT,
                        100,
                        "",
                        List.of(Role.of(shape, 1)),
                        List.of(),
                        Duration.ZERO,
                        Interruption.DEFAULT,
                        payload,
                        Labels.NONE);
        return new Command.Submit(spec, "", 1, false, "test");
    }
}
