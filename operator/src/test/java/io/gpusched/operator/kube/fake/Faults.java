package io.gpusched.operator.kube.fake;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/// Faults that the server shows to the next requests that match.
public final class Faults {
    private enum Kind {
        REFUSE,
        DELAY,
        DROP,
        LOSE_ANSWER
    }

    private static final class Fault {
        private final String method;
        private final Pattern path;
        private final Kind kind;
        private final int code;
        private final CountDownLatch released;
        private int times;

        Fault(String method, String path, Kind kind, int code, int times) {
            this.method = method;
            this.path = Pattern.compile(path);
            this.kind = kind;
            this.code = code;
            this.times = times;
            this.released = new CountDownLatch(1);
        }

        boolean matches(ApiCall call) {
            return call.method().equals(method) && path.matcher(call.path()).matches();
        }
    }

    /// Requests that are held until they are released.
    public static final class Hold implements AutoCloseable {
        private final Fault fault;
        private final Faults faults;

        private Hold(Fault fault, Faults faults) {
            this.fault = fault;
            this.faults = faults;
        }

        /// Lets go of all requests that are held, and holds no more.
        @Override
        public void close() {
            faults.faults.remove(fault);
            fault.released.countDown();
        }
    }

    private static final int TOO_MANY = 429;
    private static final int CONFLICT = 409;
    private static final int LONGEST_HOLD_SECONDS = 120;

    private final List<Fault> faults = new CopyOnWriteArrayList<>();

    /// Answers the next requests with a Status of this code and does nothing.
    ///
    /// @param path a regular expression for the whole path
    public void refuse(String method, String path, int code, int times) {
        faults.add(new Fault(method, path, Kind.REFUSE, code, times));
    }

    /// Ends the connection of the next requests before they are read.
    public void drop(String method, String path, int times) {
        faults.add(new Fault(method, path, Kind.DROP, 0, times));
    }

    /// Does what the next requests ask for, and ends the connection instead of answering.
    public void loseAnswer(String method, String path, int times) {
        faults.add(new Fault(method, path, Kind.LOSE_ANSWER, 0, times));
    }

    /// Holds all such requests until the result is closed.
    public Hold hold(String method, String path) {
        var fault = new Fault(method, path, Kind.DELAY, 0, Integer.MAX_VALUE);
        faults.add(fault);
        return new Hold(fault, this);
    }

    /// Delays the next requests.
    public void delay(String method, String path, long millis, int times) {
        var fault = new Fault(method, path, Kind.DELAY, (int) millis, times);
        faults.add(fault);
    }

    /// @return whether the answer is to be lost
    boolean before(ApiCall call) throws IOException, InterruptedException {
        Fault fault = next(call);
        if (fault == null) {
            return false;
        }
        switch (fault.kind) {
            case REFUSE -> throw new Refused(fault.code, reason(fault.code), "a fault of the test");
            case DROP -> throw new IOException("dropped");
            case DELAY -> {
                long millis =
                        fault.code > 0
                                ? fault.code
                                : TimeUnit.SECONDS.toMillis(LONGEST_HOLD_SECONDS);
                boolean wasReleased = fault.released.await(millis, TimeUnit.MILLISECONDS);
                if (!wasReleased && fault.code == 0) {
                    throw new IOException("held for too long");
                }
            }
            case LOSE_ANSWER -> {
                return true;
            }
        }
        return false;
    }

    private synchronized @Nullable Fault next(ApiCall call) {
        Fault found = null;
        for (Fault each : faults) {
            if (found == null && each.matches(call)) {
                found = each;
            }
        }
        if (found != null) {
            found.times--;
            if (found.times == 0) {
                faults.remove(found);
            }
        }
        return found;
    }

    private static String reason(int code) {
        return switch (code) {
            case CONFLICT -> "Conflict";
            case TOO_MANY -> "TooManyRequests";
            default -> "InternalError";
        };
    }
}
