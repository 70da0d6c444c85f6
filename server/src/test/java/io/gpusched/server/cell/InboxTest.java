package io.gpusched.server.cell;

import static io.gpusched.server.cell.Submissions.submit;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.event.Command;
import io.gpusched.core.event.Input;
import io.gpusched.core.model.JobId;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

final class InboxTest {
    private static final int MIB = 1 << 20;

    private final Inbox inbox = new Inbox(100);

    @Test
    void heavyInputsAreTakenAFewAtATimeAndNoneIsLeftBehind() throws InterruptedException {
        for (int i = 0; i < 10; i++) {
            put(submit("", "x".repeat(MIB)));
        }
        put(submit("", "x".repeat(5 * MIB)));
        assertThat(take(100, 4 * MIB)).hasSize(4);
        assertThat(take(100, 4 * MIB)).hasSize(4);
        assertThat(take(100, 4 * MIB)).as("what is too heavy goes too").hasSize(3);
        assertThat(take(100, 4 * MIB)).isEmpty();
    }

    @Test
    void lightInputsAreTakenUpToTheirNumber() throws InterruptedException {
        for (int i = 0; i < 10; i++) {
            put(new Command.Cancel(new JobId(1 + i), "test"));
        }
        inbox.ring();
        assertThat(take(7, 4 * MIB)).hasSize(7);
        assertThat(take(7, 4 * MIB)).hasSize(3);
    }

    @Test
    void unwantedInputsAreDropped() throws InterruptedException {
        var over = new AtomicBoolean();
        Input old = new Command.Cancel(new JobId(1), "old");
        Input young = new Command.Cancel(new JobId(1), "young");
        inbox.offer(new Inbox.Envelope(old, () -> !over.get(), answer -> {}));
        put(young);
        over.set(true);
        assertThat(take(10, MIB)).extracting(Inbox.Envelope::input).containsExactly(young);
    }

    private void put(Input input) {
        assertThat(inbox.offer(new Inbox.Envelope(input, answer -> {}))).isTrue();
    }

    private List<Inbox.Envelope> take(int most, long bytes) throws InterruptedException {
        return inbox.take(Duration.ofMillis(1), most, bytes);
    }
}
