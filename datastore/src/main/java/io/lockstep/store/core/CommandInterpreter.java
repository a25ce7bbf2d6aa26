package io.lockstep.store.core;

import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.MicroComponent;
import io.lockstep.store.Reply;
import io.lockstep.store.Reply.Reason;

/**
 * Carries out one command on the state. It does not know whether the command is a copy: {@link
 * RequestRunner} does.
 */
final class CommandInterpreter {
  private static final Reply ABSENT = new Reply.Absent();
  private static final int MESSAGE_CHARS = 512;

  private final Components components;

  CommandInterpreter(Components components) {
    this.components = components;
  }

  /** Counts what the operations are for that this interpreter carries out. */
  OperationCauses causes() {
    return new OperationCauses(components);
  }

  /** Whether the command can change something, so that a copy of it must be recognised. */
  static boolean leavesRecord(Command command) {
    if (command instanceof Command.Batch batch) {
      return BatchRunner.writes(batch);
    }
    return !(command.isRead()
        || command instanceof Command.ReadChanges
        || command instanceof Command.KeepAlive);
  }

  /**
   * Carries out {@code command} as the operation {@code index} on behalf of an open session.
   *
   * @param room for the reply, at least {@link ReplyRoom#LEAST_BYTES} where the command can change
   *     something; where the reply is longer, nothing is changed
   */
  Reply interpret(StoreState state, Session caller, Command command, long index, ReplyRoom room) {
    // Only a command that has changed nothing can have a reply that is too long here.
    return room.fit(carryOut(state, caller, command, index, room));
  }

  private Reply carryOut(
      StoreState state, Session caller, Command command, long index, ReplyRoom room) {
    String violation = Limits.violation(command);
    if (violation != null) {
      return Refusals.outOfBounds(violation);
    }
    if (command instanceof Command.ReadChanges c) {
      return ChangeReader.read(state.tables(), c, index);
    } else if (command instanceof Command.KeepAlive) {
      return new Reply.Applied(index);
    } else if (command instanceof Command.CloseSession c) {
      return closeSession(state, c.sessionId(), index);
    } else if (command instanceof Command.OpenSession) {
      return Refusals.outOfBounds("a session cannot open another");
    }
    Reply reply = onTables(state, caller, command, index, room);
    state.tables().trimHistories();
    return reply;
  }

  private Reply onTables(
      StoreState state, Session caller, Command command, long index, ReplyRoom room) {
    if (command instanceof Command.Call c) {
      StoreTransaction transaction = StoreTransaction.writing(state, index, caller.id());
      return call(state, transaction, c.component(), c.argument(), room);
    } else if (command instanceof Command.Query c) {
      StoreTransaction transaction = StoreTransaction.reading(state, index, caller.id());
      return call(state, transaction, c.component(), c.argument(), room);
    } else if (command instanceof Command.Batch batch) {
      StoreTransaction transaction = StoreTransaction.writing(state, index, caller.id());
      return BatchRunner.run(state.tables(), transaction, batch, index, room);
    } else if (command instanceof Command.CreateTable c) {
      return Catalogue.create(state.tables(), c, index);
    }
    return TableOperations.apply(state.tables(), null, command, index);
  }

  private static Reply closeSession(StoreState state, long sessionId, long index) {
    Session session = state.sessions().findOpen(sessionId);
    if (session == null) {
      return ABSENT;
    }
    state.endSession(session, index);
    return new Reply.Applied(index);
  }

  private Reply call(
      StoreState state, StoreTransaction transaction, String name, Bytes argument, ReplyRoom room) {
    MicroComponent component = components.find(name, state.rules().number());
    if (component == null) {
      return Refusals.unknownComponent(name);
    }
    String refusal;
    try {
      Bytes result = component.call(transaction, argument);
      if (result != null && result.length() <= Limits.VALUE_BYTES) {
        return transaction.end(new Reply.Returned(result), room);
      }
      refusal = "a result is at most " + Limits.VALUE_BYTES + " bytes";
    } catch (MicroComponent.Refusal refused) {
      refusal = String.valueOf(refused.getMessage());
    } catch (StoreTransaction.OutOfBoundsException outOfBounds) {
      refusal = String.valueOf(outOfBounds.getMessage());
    } catch (RuntimeException failed) {
      // The message may differ from one Java machine to the next; the class does not.
      refusal = name + " failed: " + failed.getClass().getName();
    }
    transaction.undo();
    return new Reply.Rejected(Reason.COMPONENT_REFUSED, shortened(refusal));
  }

  private static String shortened(String message) {
    return message.length() > MESSAGE_CHARS ? message.substring(0, MESSAGE_CHARS) : message;
  }
}
