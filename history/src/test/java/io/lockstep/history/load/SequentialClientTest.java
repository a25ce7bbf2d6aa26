package io.lockstep.history.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.history.check.Operation.Outcome;
import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.client.BatchingStoreClient;
import io.lockstep.store.client.ClientOptions;
import io.lockstep.store.core.StoreStateMachine;
import io.lockstep.store.engine.local.LocalEngine;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SequentialClientTest {
  private final LocalEngine engine = LocalEngine.start(new StoreStateMachine(List.of()));
  private final BatchingStoreClient store =
      BatchingStoreClient.open(
          engine.connect(4), ClientOptions.of("test"), System::nanoTime, new Random(1)::nextLong);
  private final AtomicInteger replies = new AtomicInteger();

  @AfterEach
  void close() {
    store.close();
    engine.close();
  }

  /** Reads again and again; its own code fails at a reply, counted from 1. */
  private SequentialClient reader(int failsAt, int most) {
    return new SequentialClient("reader", store) {
      @Override
      protected boolean spent() {
        return replies.get() == most;
      }

      @Override
      protected void proceed() {
        submit(
            new Command.Get("registers", Bytes.utf8("key")),
            reply -> {
              if (replies.incrementAndGet() == failsAt) {
                throw new IllegalStateException("broken");
              }
              answered(replies.get());
              goOn(Outcome.OK);
            });
      }
    };
  }

  @Test
  void endsWhenItHasSubmittedAllThatItMay() throws Exception {
    SequentialClient reader = reader(0, 5);
    assertThat(reader.answeredNanos()).isEqualTo(-1);
    reader.start();
    reader.ended().get(60, TimeUnit.SECONDS);
    assertThat(replies).hasValue(5);
    assertThat(reader.answeredNanos()).isEqualTo(5);
  }

  @Test
  void endsWhenItIsStopped() throws Exception {
    SequentialClient reader = reader(0, -1);
    reader.stop();
    reader.start();
    reader.ended().get(60, TimeUnit.SECONDS);
    assertThat(replies).hasValue(0);
  }

  @Test
  void failureOfItsOwnCodeEndsIt() {
    SequentialClient reader = reader(3, -1);
    reader.start();
    assertThatThrownBy(() -> reader.ended().get(60, TimeUnit.SECONDS))
        .hasRootCauseMessage("broken");
    assertThat(replies).hasValue(3);
  }
}
