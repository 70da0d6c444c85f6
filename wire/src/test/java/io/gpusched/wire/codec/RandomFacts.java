package io.gpusched.wire.codec;

import io.gpusched.core.event.Batch;
import io.gpusched.core.event.Event;
import io.gpusched.core.model.AgentId;
import io.gpusched.core.model.AttemptId;
import io.gpusched.core.model.Check;
import io.gpusched.core.model.Gpu;
import io.gpusched.core.model.GpuModel;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.Labels;
import io.gpusched.core.model.Link;
import io.gpusched.core.model.Node;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.Placement;
import io.gpusched.core.model.Resources;
import io.gpusched.core.model.Run;
import io.gpusched.core.model.Slot;
import io.gpusched.core.model.Taint;
import io.gpusched.core.model.TaskState;
import io.gpusched.core.model.Topology;

import org.jspecify.annotations.Nullable;

import java.lang.reflect.AnnotatedType;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;

/// Random values of any record of the core, made from its components, so that a new field is tested
/// at once. The same seed gives the same values.
final class RandomFacts {
    private static final Instant START = Instant.parse("2025-01-01T00:00:00Z");

    private final Random random;

    RandomFacts(long seed) {
        random = new Random(seed);
    }

    /// A batch with one random event of every kind.
    Batch batchOfEveryKind(long number) {
        var facts = new ArrayList<Event>();
        for (Class<?> kind : Event.class.getPermittedSubclasses()) {
            facts.add((Event) value(kind));
        }
        return new Batch(
                number,
                1 + random.nextInt(3),
                instant(),
                facts,
                facts.reversed(),
                random.nextLong());
    }

    <T> T any(Class<T> type) {
        return type.cast(value(type));
    }

    private Object value(Type type) {
        if (type instanceof ParameterizedType several) {
            Type[] of = several.getActualTypeArguments();
            return several.getRawType() == List.class ? list(of[0]) : map(of[0], of[1]);
        }
        return value((Class<?>) type);
    }

    private Object list(Type of) {
        var values = new ArrayList<Object>();
        for (int i = random.nextInt(4); i > 0; i--) {
            values.add(value(of));
        }
        return values;
    }

    private Object map(Type keys, Type of) {
        var values = new LinkedHashMap<Object, Object>();
        for (int i = random.nextInt(4); i > 0; i--) {
            values.put(value(keys), value(of));
        }
        return values;
    }

    private Object value(Class<?> type) {
        if (type == int.class || type == Integer.class) {
            return random.nextInt(8) == 0 ? random.nextInt() : random.nextInt(-2, 6);
        }
        if (type == long.class || type == Long.class) {
            return random.nextInt(8) == 0 ? random.nextLong() : random.nextLong(-2, 1000);
        }
        if (type == boolean.class) {
            return random.nextBoolean();
        }
        if (type == double.class || type == Double.class) {
            return random.nextDouble(0.001, 10);
        }
        if (type == float.class) {
            return random.nextFloat();
        }
        if (type == String.class) {
            return text();
        }
        if (type == Instant.class) {
            return instant();
        }
        if (type == Duration.class) {
            return Duration.ofNanos(random.nextLong(0, 1L << 50));
        }
        if (type.isEnum()) {
            return any(type.getEnumConstants());
        }
        if (type.isSealed()) {
            return value(any(type.getPermittedSubclasses()));
        }
        return made(type);
    }

    /// Records refuse invalid values, so some tries fail.
    private Object made(Class<?> type) {
        Check.Broken refused = null;
        for (int tries = 0; tries < 1000; tries++) {
            try {
                if (type == Labels.class) {
                    return labels();
                }
                if (type == Node.class) {
                    return node();
                }
                if (type == Run.class) {
                    return run();
                }
                if (type == Event.JobSubmitted.class) {
                    return submitted();
                }
                return record(type);
            } catch (Check.Broken e) {
                refused = e;
            }
        }
        throw new AssertionError("no legal " + type + " in a thousand tries", refused);
    }

    private Object record(Class<?> type) {
        RecordComponent[] components = type.getRecordComponents();
        var types = Arrays.stream(components).map(RecordComponent::getType);
        try {
            var constructor = type.getDeclaredConstructor(types.toArray(Class<?>[]::new));
            var values = new @Nullable Object[components.length];
            for (int i = 0; i < components.length; i++) {
                boolean absent = nullable(components[i].getAnnotatedType()) && random.nextBoolean();
                values[i] = absent ? null : value(components[i].getGenericType());
            }
            return constructor.newInstance(values);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof Check.Broken broken) {
                throw broken;
            }
            throw new AssertionError(e);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(e.getMessage(), e);
        }
    }

    private static boolean nullable(AnnotatedType type) {
        return type.isAnnotationPresent(Nullable.class);
    }

    private Labels labels() {
        var pairs = new TreeMap<String, String>();
        for (int i = random.nextInt(4); i > 0; i--) {
            pairs.put(text(), text());
        }
        return new Labels(pairs);
    }

    private Node node() {
        var gpus = new ArrayList<Gpu>();
        for (int i = random.nextInt(9); i > 0; i--) {
            gpus.add(new Gpu(gpus.size(), any(GpuModel.class), random.nextInt(99_999), text()));
        }
        return new Node(
                any(NodeId.class),
                any(AgentId.class),
                text(),
                gpus,
                topology(gpus.size()),
                any(Resources.class),
                List.of(any(Taint.class)),
                any(Labels.class));
    }

    private Topology topology(int size) {
        var sockets = new ArrayList<Integer>();
        var nvlinks = new ArrayList<List<Integer>>();
        var links = new ArrayList<List<Link>>();
        for (int a = 0; a < size; a++) {
            sockets.add(random.nextInt(-1, 3));
            nvlinks.add(new ArrayList<>(Collections.nCopies(size, 0)));
            links.add(new ArrayList<>(Collections.nCopies(size, Link.UNKNOWN)));
            for (int b = 0; b < a; b++) {
                nvlinks.get(a).set(b, random.nextInt(19));
                nvlinks.get(b).set(a, nvlinks.get(a).get(b));
                links.get(a).set(b, any(Link.values()));
                links.get(b).set(a, links.get(a).get(b));
            }
        }
        return switch (random.nextInt(4)) {
            case 0 -> Topology.FLAT;
            case 1 -> Topology.of(sockets, List.of(), List.of());
            case 2 -> Topology.of(List.of(), nvlinks, List.of());
            default -> Topology.of(sockets, nvlinks, links);
        };
    }

    private Run run() {
        var slots = new ArrayList<Slot>();
        var tasks = new ArrayList<TaskState>();
        for (int i = 1 + random.nextInt(3); i > 0; i--) {
            slots.add(any(Slot.class));
            tasks.add(any(TaskState.class));
        }
        return new Run(any(AttemptId.class), new Placement(slots), instant(), tasks);
    }

    private Event.JobSubmitted submitted() {
        return new Event.JobSubmitted(
                instant(),
                any(JobId.class),
                any(JobSpec.class),
                text(),
                random.nextLong(),
                random.nextBoolean(),
                text());
    }

    private Instant instant() {
        return START.plusNanos(random.nextLong(1L << 40) * 1000);
    }

    private String text() {
        return switch (random.nextInt(6)) {
            case 0 -> "";
            case 1 -> "größer als ∞ 🚀";
            case 2 -> "x".repeat(random.nextInt(200));
            default -> "text-" + random.nextInt(50);
        };
    }

    private <T> T any(T[] choices) {
        return choices[random.nextInt(choices.length)];
    }
}
