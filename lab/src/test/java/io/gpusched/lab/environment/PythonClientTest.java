package io.gpusched.lab.environment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.gpusched.rl.Baseline;
import io.gpusched.rl.Environment;
import io.gpusched.rl.EnvironmentSettings;
import io.gpusched.rl.Evaluation;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Drives `python/gpusched_gym.py` from `python3`, where one is installed.
@Timeout(300)
final class PythonClientTest {
    private static final Path CLIENT = Path.of("..", "python");

    private static boolean isInstalled() {
        try {
            return new ProcessBuilder("python3", "--version").start().waitFor() == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /// Runs a program with the client beside it and the port as its argument.
    private static List<String> python(String program, String... flags) throws Exception {
        assumeTrue(isInstalled(), "python3 is not installed; its client was not tested");
        var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        try (var server = new EnvironmentServer(address, EnvironmentParameters.USUAL)) {
            var words = new ArrayList<>(List.of("python3", "-B"));
            words.addAll(Arrays.asList(flags));
            words.addAll(List.of("-c", program, Integer.toString(server.port())));
            Process process =
                    new ProcessBuilder(words)
                            .directory(CLIENT.toFile())
                            .redirectErrorStream(true)
                            .start();
            String out =
                    new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor()).as(out).isZero();
            return out.lines().toList();
        }
    }

    private static final String SJF =
            """
            import sys
            from gpusched_gym import GpuSchedEnv
            env = GpuSchedEnv(port=int(sys.argv[1]))
            observation, info = env.reset(seed=2000001)
            total, steps, over = 0.0, 0, False
            while not over:
                mask = env.action_masks()
                jobs = [i for i in range(1, env.num_actions) if mask[i]]
                action = min(jobs, key=lambda i: observation[4 * (i - 1)]) if jobs else 0
                observation, reward, terminated, truncated, info = env.step(action)
                total, steps, over = total + reward, steps + 1, terminated or truncated
            print("%.6f %d %s" % (total, steps, terminated))
            env.close()
            """;

    @Test
    void aPlayerInPythonGetsTheReturnOfTheSamePlayerInJava() throws Exception {
        var environment = new Environment(EnvironmentSettings.USUAL);
        Evaluation.Episode episode = Evaluation.play(Baseline.SJF, environment, 2_000_001);
        assertThat(python(SJF))
                .containsExactly(String.format("%.6f %d True", episode.total(), episode.steps()))
                .containsExactly("0.512000 800 True");
    }

    @Test
    void theClientNeedsTheStandardLibraryOnly() throws Exception {
        assertThat(python(SJF, "-S", "-E", "-s").getFirst()).startsWith("0.512000");
    }

    @Test
    void manyEnvironmentsArePlayedByOneRequest() throws Exception {
        List<String> lines =
                python(
                        """
                        import sys
                        from gpusched_gym import GpuSchedVectorEnv
                        env = GpuSchedVectorEnv(3, port=int(sys.argv[1]), jobs_per_episode=5, num_gpus=2)
                        observations, infos = env.reset(seed=1)
                        ended = 0
                        for _ in range(40):
                            actions = [max(i for i in range(env.num_actions) if mask[i])
                                       for mask in env.action_masks()]
                            observations, rewards, terminated, truncated, infos = env.step(actions)
                            for i in range(3):
                                if terminated[i] or truncated[i]:
                                    ended += 1
                                    assert len(infos[i]["final_observation"]) == env.observation_size
                        print(len(observations), len(rewards), ended >= 9)
                        env.close()
                        """);
        assertThat(lines).containsExactly("3 3 True");
    }

    @Test
    void errorsOfTheServerNameTheField() throws Exception {
        List<String> lines =
                python(
                        """
                        import sys
                        from gpusched_gym import GpuSchedEnv, ServerError
                        port = int(sys.argv[1])
                        try:
                            GpuSchedEnv(port=port, lookahead_mode="all")
                        except ServerError as e:
                            print(e.field, "|", e)
                        env = GpuSchedEnv(port=port, lookahead_mode="cdf")
                        try:
                            env.step(0)
                        except ServerError as e:
                            print(e)
                        env.reset()
                        env.close()
                        env.close()
                        """);
        assertThat(lines)
                .containsExactly(
                        "make.lookahead_mode | make.lookahead_mode: expected one of off, per_gpu,"
                                + " sorted, cdf, found all",
                        "step: no episode has begun; send reset first");
    }
}
