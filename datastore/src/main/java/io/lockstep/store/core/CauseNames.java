package io.lockstep.store.core;

import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.MicroComponent;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Names what a command is for: a sign of life, a feed, a session, a table, or a micro component and
 * what that says of its call. Replicas count by these names, and traces of nodes have them.
 * Thread-safe where its components are.
 */
public final class CauseNames {
  /** Signs of life of sessions. */
  public static final String LEASE = "lease";

  /** Sessions that were opened or closed. */
  public static final String SESSION = "session";

  /** Questions of feeds for changes. */
  static final String FEED = "feed";

  /** Batches of several commands. */
  static final String BATCH = "batch";

  /** What was no request, and causes for which there was no room. */
  static final String OTHER = "other";

  private final Function<String, @Nullable MicroComponent> components;

  CauseNames(Function<String, @Nullable MicroComponent> components) {
    this.components = components;
  }

  /** Names of the causes where these components can be called. */
  public static CauseNames of(Collection<? extends MicroComponent> components) {
    Map<String, MicroComponent> byName = new HashMap<>();
    components.forEach(component -> byName.put(component.name(), component));
    return new CauseNames(byName::get);
  }

  /** The cause of a command: a name of {@code [a-z][a-z0-9.-]{0,63}}. */
  public String of(Command command) {
    return checked(unchecked(command), command);
  }

  /** The same, or what a client or component wrote in its place. */
  String unchecked(Command command) {
    if (command instanceof Command.Call call) {
      return ofComponent(call.component(), call.argument());
    } else if (command instanceof Command.Query query) {
      return ofComponent(query.component(), query.argument());
    } else if (command instanceof Command.ReadChanges) {
      return FEED;
    } else if (command instanceof Command.KeepAlive) {
      return LEASE;
    } else if (command instanceof Command.OpenSession || command instanceof Command.CloseSession) {
      return SESSION;
    }
    String table = command.table();
    return table == null ? BATCH : table;
  }

  private String ofComponent(String name, Bytes argument) {
    MicroComponent component = components.apply(name);
    if (component == null) {
      return OTHER;
    }
    try {
      return component.cause(argument);
    } catch (RuntimeException unreadable) {
      return component.name();
    }
  }

  /** The name of the component, or {@link #OTHER}, in the place of a cause that is no name. */
  String checked(String cause, Command command) {
    if (Limits.isName(cause)) {
      return cause;
    } else if (command instanceof Command.Call call) {
      return call.component();
    } else if (command instanceof Command.Query query) {
      return query.component();
    }
    return OTHER;
  }
}
