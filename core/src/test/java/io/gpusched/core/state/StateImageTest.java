package io.gpusched.core.state;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.NodeBuilder.aNode;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.engine.Engine;
import io.gpusched.core.engine.EngineSettings;
import io.gpusched.core.event.Command;
import io.gpusched.core.kit.Scene;
import io.gpusched.core.model.NodeId;

import org.junit.jupiter.api.Test;

final class StateImageTest {
    @Test
    void aRestoredEngineIsTheSameEngine() {
        Scene scene = Scene.with(aNode("n1").build(), aNode("n2").gpus(4).build());
        scene.tenant("batch", 8, true);
        var done = scene.submit(aJob().gpus(2));
        scene.completes(done);
        scene.runs(scene.submit(aJob().of("batch").gpus(8).priority(1)));
        scene.submit(aJob().gpus(4));
        scene.submit(aJob().gpus(8));
        scene.tell(new Command.Cordon(new NodeId("n2"), "me"));
        scene.submit(aJob().gpus(8).priority(500));

        Engine engine = scene.engine();
        Engine restored = Engine.restore(engine.image(), engine.policy(), EngineSettings.DEFAULT);

        assertThat(restored.digest()).isEqualTo(engine.digest());
        assertThat(restored.image()).isEqualTo(engine.image());
    }

    @Test
    void aReplayedEngineIsTheSameEngine() {
        Scene scene = Scene.with(aNode("n1").build());
        scene.runs(scene.submit(aJob().gpus(8)));
        scene.submit(aJob().gpus(4));
        var replayed = new Engine(scene.engine().policy(), EngineSettings.DEFAULT);
        scene.journal().replay(0, replayed::apply);
        assertThat(replayed.digest()).isEqualTo(scene.engine().digest());
        assertThat(replayed.image()).isEqualTo(scene.engine().image());
    }
}
