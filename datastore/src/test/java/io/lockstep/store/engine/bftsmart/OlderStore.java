package io.lockstep.store.engine.bftsmart;

import io.lockstep.store.core.StoreStateMachine;
import io.lockstep.store.engine.OrderedReply;
import io.lockstep.store.engine.OrderedService;
import io.lockstep.store.engine.Rules;
import io.lockstep.store.engine.StateSnapshot;
import io.lockstep.store.engine.UnknownRulesException;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.OptionalLong;

/** The store of a program that knows no other rules than the first. */
final class OlderStore implements OrderedService {
  private final StoreStateMachine store = new StoreStateMachine(List.of());

  @Override
  public List<OrderedReply> apply(long instance, long timeMillis, List<byte[]> requests) {
    return store.apply(instance, timeMillis, requests);
  }

  @Override
  public int requestVersion() {
    return store.requestVersion();
  }

  @Override
  public long index() {
    return store.index();
  }

  @Override
  public OptionalLong lastTimeMillis() {
    return store.lastTimeMillis();
  }

  @Override
  public StateSnapshot snapshot() {
    return store.snapshot();
  }

  @Override
  public void reset() {
    store.reset();
  }

  @Override
  public void restore(InputStream in) throws IOException {
    store.restore(in);
    if (store.rules().number() > 1) {
      throw new UnknownRulesException(store.rules().number(), 1);
    }
  }

  @Override
  public Rules offered() {
    return Rules.FIRST;
  }
}
