package io.gpusched.lab.spot;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/// Chooses the zones in which a published policy asks for the spot instances that are missing.
sealed interface ZonePicker {
    /// Takes in what came of the plan before.
    default void look(ServingFleet fleet) {}

    void add(int[] spots, int missing);

    /// The same number in every zone.
    record NaiveSpread() implements ZonePicker {
        @Override
        public void add(int[] spots, int missing) {
            int left = missing;
            for (int level = 0; left > 0; level++) {
                for (int zone = 0; zone < spots.length && left > 0; zone++) {
                    if (spots[zone] == level) {
                        spots[zone]++;
                        left--;
                    }
                }
            }
        }
    }

    /// The next zone in turn.
    final class RoundRobin implements ZonePicker {
        private int next;

        @Override
        public void add(int[] spots, int missing) {
            for (int i = 0; i < missing; i++) {
                spots[next]++;
                next = (next + 1) % spots.length;
            }
        }
    }

    /// A random zone that has not lost instances lately, if possible one without instances.
    final class SpotHedge implements ZonePicker {
        private final PythonRandom random;
        private final List<Integer> active = new ArrayList<>();
        private final List<Integer> others = new ArrayList<>();

        SpotHedge(int zones, PythonRandom random) {
            this.random = random;
            active.addAll(all(zones));
        }

        @Override
        public void look(ServingFleet fleet) {
            for (Integer zone : all(fleet.zones())) {
                if (fleet.asked(zone) > fleet.kept(zone)) {
                    if (active.removeIf(zone::equals)) {
                        others.add(zone);
                    }
                } else if (fleet.kept(zone) > 0 && others.removeIf(zone::equals)) {
                    active.add(zone);
                }
            }
            if (active.size() <= Math.min(1, fleet.zones() - ServingPolicy.TARGET)) {
                others.clear();
                active.clear();
                active.addAll(all(fleet.zones()));
            }
        }

        @Override
        public void add(int[] spots, int missing) {
            for (int i = 0; i < missing; i++) {
                List<Integer> empty = active.stream().filter(zone -> spots[zone] == 0).toList();
                spots[random.choice(empty.isEmpty() ? active : empty)]++;
            }
        }

        private static List<Integer> all(int zones) {
            return IntStream.range(0, zones).boxed().toList();
        }
    }
}
