package io.gpusched.core.learn.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.model.Features;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;

/// The model is a fold: what it knows depends only on the observed runs and their order.
final class RuntimeFoldTest {
    private static final List<String> GPUS = List.of("A100", "H100", "L4");

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4})
    void theSameRunsGiveTheSameModelBitForBitAlsoFromAnImageInBetween(long seed) {
        var one = new World(seed);
        var two = new World(seed);
        for (int step = 0; step < 3000; step++) {
            happen(one, step);
            happen(two, step);
            if (step % 700 == 350) {
                two = resumed(two, one);
            }
        }
        assertThat(two.model.image()).isEqualTo(one.model.image());
        Profile asked = profile(one, 3);
        assertThat(two.model.estimate(asked, one.now).quantile(0.37))
                .isEqualTo(one.model.estimate(asked, one.now).quantile(0.37));
        assertThat(two.model.belief(asked)).isEqualTo(one.model.belief(asked));
    }

    /// A world around a model restored from an image, with the same random sequence as the other's.
    private static World resumed(World world, World twin) {
        long seed = twin.dice.nextLong();
        twin.dice.setSeed(seed);
        var next = new World(RuntimeModel.restored(world.model.image()), 0);
        next.dice.setSeed(seed);
        next.now = world.now;
        return next;
    }

    private static void happen(World world, int step) {
        world.now = world.now.plusMillis(world.dice.nextInt(20_000));
        int kind = world.dice.nextInt(8);
        Profile work = profile(world, kind);
        List<String> neighbours =
                world.dice.nextInt(4) == 0 ? List.of("kind/" + world.dice.nextInt(8)) : List.of();
        switch (world.dice.nextInt(5)) {
            case 0, 1 -> world.model.started(step, work, neighbours, world.now);
            case 2, 3 -> world.model.ended(step - world.dice.nextInt(40), world.now, world.now);
            default -> world.model.observed(work, neighbours, world.about(30, 2), world.now);
        }
        if (world.dice.nextInt(50) == 0) {
            world.model.abandoned(step - world.dice.nextInt(100));
        }
    }

    private static Profile profile(World world, int kind) {
        return new Profile(
                "kind/" + kind,
                GPUS.get(world.dice.nextInt(GPUS.size())),
                new Features(1 << world.dice.nextInt(4), 0, 0, world.dice.nextInt(3) * 32));
    }
}
