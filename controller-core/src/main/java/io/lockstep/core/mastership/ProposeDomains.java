package io.lockstep.core.mastership;

import io.lockstep.core.cluster.DomainMap;
import io.lockstep.core.cluster.DomainsTable;
import io.lockstep.core.cluster.StoredDomains;
import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.MicroComponent;
import io.lockstep.store.Reply;
import io.lockstep.store.Transaction;
import io.lockstep.store.codec.ByteReader;
import io.lockstep.store.codec.ByteWriter;

/**
 * Micro component {@code domains.propose}: writes the next version of the domains, if the newest
 * version is the one that the caller decided on. The first version is in force at once: no node
 * acts on a switch before it. Every later one waits until all living nodes follow ({@link
 * FollowDomains}); it replaces one that still waits.
 */
public final class ProposeDomains implements MicroComponent {

  /** The component's name. */
  public static final String NAME = "domains.propose";

  private static final int FORMAT = 1;

  /**
   * The command.
   *
   * @param decidedOn the newest version that the caller knew; 0 for none
   */
  public static Command command(long decidedOn, DomainMap map) {
    ByteWriter out = new ByteWriter().int8(FORMAT).int64(decidedOn);
    DomainsTable.write(out, map);
    return new Command.Call(NAME, out.toBytes());
  }

  /**
   * What a proposal came to.
   *
   * @param accepted false where {@code decidedOn} is not the newest version
   * @param version the newest version now; the map's own where it was accepted
   */
  public record Answer(boolean accepted, long version) {}

  /** Reads the answer. */
  public static Answer result(Reply.Returned reply) {
    ByteReader in = new ByteReader(reply.result());
    Answer answer = new Answer(in.flag(), in.int64());
    in.end();
    return answer;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Bytes call(Transaction transaction, Bytes argument) throws Refusal {
    ByteReader in = new ByteReader(argument);
    in.version(FORMAT, "proposal of domains");
    long decidedOn = in.int64();
    DomainMap map = DomainsTable.read(in);
    in.end();
    DomainVersions versions = DomainVersions.read(transaction);
    StoredDomains newest = versions.newest();
    if (newest.version() != decidedOn) {
      return answer(false, newest.version());
    }
    if (newest.version() > 0 && newest.map().equals(map)) {
      return answer(true, newest.version());
    }
    if (versions.moved(transaction, map).keys().size() > DomainVersions.MAX_MOVED) {
      throw new Refusal(
          "more than "
              + DomainVersions.MAX_MOVED
              + " switches that other nodes master for their domain would move: move fewer at"
              + " once");
    }
    StoredDomains proposed = StoredDomains.of(decidedOn + 1, 0, map);
    DomainVersions.put(
        transaction, decidedOn == 0 ? DomainsTable.CURRENT : DomainsTable.NEXT, proposed);
    return answer(true, proposed.version());
  }

  private static Bytes answer(boolean accepted, long version) {
    return new ByteWriter(9).flag(accepted).int64(version).toBytes();
  }
}
