package io.gpusched.store;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/// Records the health messages of the store.
final class RecordedHealth implements StoreHealth {
    final List<String> warnings = new CopyOnWriteArrayList<>();
    final List<String> pauses = new CopyOnWriteArrayList<>();
    final CountDownLatch paused = new CountDownLatch(1);
    final AtomicInteger resumed = new AtomicInteger();

    @Override
    public void paused(String why, int tries) {
        pauses.add(why);
        paused.countDown();
    }

    @Override
    public void resumed() {
        resumed.incrementAndGet();
    }

    @Override
    public void warning(String what) {
        warnings.add(what);
    }
}
