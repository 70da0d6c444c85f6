package io.gpusched.core.state;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;

/// Random starts and ends of runs against a set that is always sorted.
final class RunsByTimeTest {
    @Test
    void runsStandInTheOrderTheyEndHoweverSeldomSomebodyAsks() {
        for (long seed = 1; seed <= 100; seed++) {
            var chance = new Random(seed);
            var order = new RunsByTime();
            var model = new TreeSet<RunsByTime.Entry>();
            List<RunsByTime.Entry> all = new ArrayList<>();
            for (int step = 0; step < 300; step++) {
                if (all.isEmpty() || chance.nextInt(5) < 3) {
                    var entry = new RunsByTime.Entry(chance.nextInt(50), step);
                    order.add(entry);
                    model.add(entry);
                    all.add(entry);
                } else {
                    RunsByTime.Entry gone = all.remove(chance.nextInt(all.size()));
                    order.remove(gone);
                    model.remove(gone);
                }
                assertThat(order.size()).as("seed %s step %s", seed, step).isEqualTo(model.size());
                if (chance.nextInt(20) == 0) {
                    assertThat(new ArrayList<>(order.inOrder()))
                            .as("seed %s step %s", seed, step)
                            .isEqualTo(new ArrayList<>(model));
                }
            }
        }
    }
}
