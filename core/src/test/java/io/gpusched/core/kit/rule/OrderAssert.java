package io.gpusched.core.kit.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.model.Job;
import io.gpusched.core.policy.QueueOrder;

import java.time.Instant;

/// Which job goes first in an order.
public final class OrderAssert {
    private final QueueOrder order;

    OrderAssert(QueueOrder order) {
        this.order = order;
    }

    /// The order as it is at this time.
    public OrderAssert at(Instant now) {
        return new OrderAssert(order.at(now));
    }

    public First puts(Job job) {
        return new First(job);
    }

    /// Both jobs have the same key, so that the smaller job number goes first.
    public OrderAssert ties(Job one, Job other) {
        assertThat(order.key(one))
                .as("%s ties %s and %s", order.name(), one.id(), other.id())
                .isEqualTo(order.key(other));
        return this;
    }

    /// The job that is to go first.
    public final class First {
        private final Job job;

        private First(Job job) {
            this.job = job;
        }

        /// It goes first by its key, whatever its number.
        public OrderAssert before(Job other) {
            assertThat(order.key(job))
                    .as("%s puts %s before %s", order.name(), job.id(), other.id())
                    .isLessThan(order.key(other));
            return OrderAssert.this;
        }
    }
}
