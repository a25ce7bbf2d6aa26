package io.lockstep.store.typed;

import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.MicroComponent;
import io.lockstep.store.core.Limits;

/**
 * A {@link MicroComponent} as its callers see it. Declared once, as a constant of the class that
 * implements it.
 *
 * @param name the name that it is called by
 * @param argument of what it is called with
 * @param result of what it returns
 */
public record Component<A, R>(String name, Codec<A> argument, Codec<R> result) {
  public Component {
    String violation = Limits.violation(new Command.Call(name, Bytes.empty()));
    if (violation != null) {
      throw new IllegalArgumentException("component \"" + name + "\": " + violation);
    }
  }

  /** The command that calls it, for paths that use a store client themselves. */
  public Command.Call command(A value) {
    return new Command.Call(name, argument.encode(value));
  }

  @Override
  public String toString() {
    return "component \"" + name + "\"";
  }
}
