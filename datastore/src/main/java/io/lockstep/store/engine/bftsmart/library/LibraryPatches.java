package io.lockstep.store.engine.bftsmart.library;

import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.function.UnaryOperator;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.commons.ClassRemapper;
import org.objectweb.asm.commons.SimpleRemapper;

/**
 * Changes the ordering library before any of its classes is loaded, without an agent and without
 * copied source.
 *
 * <p>It replaces two classes by stand-ins of ours and adds a guard to one method. Classes that
 * print or read Java objects get our sink and our filter. A cheaper digest distinguishes values,
 * and proposals carry our time. {@link MethodHandles.Lookup#defineClass} defines each changed class
 * in the library's own package, so the order of the class path does not matter. Installation fails,
 * and no replica starts, if the library is not byte for byte the version that this was written for,
 * if a place to be rewritten is missing, or if a class was already loaded.
 *
 * <p>Thread-safe.
 */
public final class LibraryPatches {

  /**
   * SHA-256 over the classes in {@code REWRITTEN} and {@code RELIED_UPON} of bft-smart
   * 0.0.8.RELEASE.
   */
  static final String PINNED_SHA_256 =
      "279a78e7428b8cf4a29a701bb10213f66fd86532c868e2b1d93cab68dc7407b6";

  private static final String LINKS = "bftsmart/communication/server/ServersCommunicationLayer";
  private static final String CLIENT_SIDE =
      "bftsmart/communication/client/CommunicationSystemServerSideFactory";

  /** A class to be rewritten and one of the same package that may be loaded before it. */
  private record Target(String name, String neighbour, boolean guardAccept) {
    Target(String name, String neighbour) {
      this(name, neighbour, false);
    }
  }

  /** Inner classes come first: defining the outer one verifies it, which loads them. */
  private static final List<Target> REWRITTEN =
      List.of(
          new Target("bftsmart/consensus/Epoch", "Decision"),
          new Target("bftsmart/consensus/TimestampValuePair", "Decision"),
          new Target("bftsmart/communication/MessageHandler", "SystemMessage"),
          new Target("bftsmart/communication/ServerCommunicationSystem", "SystemMessage"),
          new Target("bftsmart/consensus/roles/Acceptor", "Proposer", true),
          new Target("bftsmart/reconfiguration/ServerViewController", "ReconfigureRequest"),
          new Target("bftsmart/reconfiguration/util/TOMConfiguration", "HostsConfig"),
          new Target("bftsmart/tom/ServiceReplica", "MessageContext"),
          new Target("bftsmart/tom/core/DeliveryThread", "ReplyManager"),
          new Target("bftsmart/tom/core/ExecutionManager", "ReplyManager"),
          new Target("bftsmart/tom/core/Synchronizer", "ReplyManager"),
          new Target("bftsmart/tom/core/TOMLayer", "ReplyManager"),
          new Target("bftsmart/tom/leaderchange/LCManager", "CollectData"),
          new Target("bftsmart/tom/leaderchange/RequestsTimer$SendStopTask", "CollectData"),
          new Target("bftsmart/tom/leaderchange/RequestsTimer", "CollectData"),
          new Target("bftsmart/tom/util/BatchReader", "Storage"));

  /**
   * Classes that this engine extends or replaces, or on whose fields and order of steps it relies.
   */
  private static final List<String> RELIED_UPON =
      List.of(
          LINKS,
          CLIENT_SIDE,
          "bftsmart/clientsmanagement/ClientsManager",
          "bftsmart/clientsmanagement/RequestList",
          "bftsmart/communication/SystemMessage",
          "bftsmart/consensus/Consensus",
          "bftsmart/consensus/Decision",
          "bftsmart/consensus/messages/ConsensusMessage",
          "bftsmart/consensus/messages/MessageFactory",
          "bftsmart/consensus/roles/Proposer",
          "bftsmart/reconfiguration/ViewController",
          "bftsmart/reconfiguration/util/Configuration",
          "bftsmart/reconfiguration/views/View",
          "bftsmart/tom/core/messages/ForwardedMessage",
          "bftsmart/tom/core/messages/TOMMessage",
          "bftsmart/tom/leaderchange/CertifiedDecision",
          "bftsmart/tom/leaderchange/CollectData",
          "bftsmart/tom/leaderchange/LCMessage",
          "bftsmart/tom/util/BatchBuilder");

  private static boolean installed;

  private LibraryPatches() {}

  /**
   * Installs the changes once for the library's class loader; later calls do nothing.
   *
   * @throws IllegalStateException naming what is missing, different or already loaded
   */
  public static synchronized void install() {
    if (installed) {
      return;
    }
    ClassLoader loader = LibraryPatches.class.getClassLoader();
    if (loader == null) {
      throw new IllegalStateException("the ordering engine cannot run on the boot class path");
    }
    String found = fingerprint(loader);
    if (!found.equals(PINNED_SHA_256)) {
      throw new IllegalStateException(
          "the ordering library on the class path is not bft-smart 0.0.8.RELEASE: its classes hash"
              + " to "
              + found
              + ", pinned is "
              + PINNED_SHA_256);
    }
    LibraryOutput.captureJavaUtilLogging();
    replace(loader, LINKS, "TestSerialization", ServersCommunicationLayerStandIn.class);
    replace(loader, CLIENT_SIDE, "RequestReceiver", ClientSideFactoryStandIn.class);
    for (Target target : REWRITTEN) {
      rewrite(loader, target);
    }
    installed = true;
  }

  /** SHA-256, in hexadecimal, over names and bytes of all classes that this engine relies upon. */
  static String fingerprint(ClassLoader loader) {
    MessageDigest digest;
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("no SHA-256 in this Java", e);
    }
    for (Target target : REWRITTEN) {
      digest.update(bytesOf(loader, target.name));
    }
    for (String name : RELIED_UPON) {
      digest.update(bytesOf(loader, name));
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  private static void replace(ClassLoader loader, String name, String neighbour, Class<?> standIn) {
    String ownName = standIn.getName().replace('.', '/');
    byte[] renamed =
        transform(
            bytesOf(loader, ownName),
            writer -> new ClassRemapper(writer, new SimpleRemapper(ownName, name)));
    define(loader, name, neighbour, renamed);
  }

  private static void rewrite(ClassLoader loader, Target target) {
    CallSiteRewriter[] used = new CallSiteRewriter[1];
    byte[] changed =
        transform(
            bytesOf(loader, target.name),
            writer -> used[0] = new CallSiteRewriter(writer, target.guardAccept));
    if (target.guardAccept && used[0].guards() != 1) {
      throw new IllegalStateException(
          "expected one computeAccept in " + target.name + ", found " + used[0].guards());
    }
    if (target.name.equals(CallSiteRewriter.PROPOSER) && used[0].stamps() != 1) {
      throw new IllegalStateException(
          "expected one place that makes proposals in "
              + target.name
              + ", found "
              + used[0].stamps());
    }
    if (used[0].sites() == 0) {
      throw new IllegalStateException("nothing to rewrite in " + target.name);
    }
    define(loader, target.name, target.neighbour, changed);
  }

  private static byte[] transform(byte[] original, UnaryOperator<ClassVisitor> change) {
    ClassReader reader = new ClassReader(original);
    ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
    reader.accept(change.apply(writer), 0);
    return writer.toByteArray();
  }

  private static void define(ClassLoader loader, String name, String neighbour, byte[] bytes) {
    String host = name.substring(0, name.lastIndexOf('/') + 1).replace('/', '.') + neighbour;
    try {
      MethodHandles.privateLookupIn(Class.forName(host, false, loader), MethodHandles.lookup())
          .defineClass(bytes);
    } catch (LinkageError e) {
      throw new IllegalStateException(
          name
              + " was loaded before it could be changed; start a replica before anything else uses"
              + " the ordering library",
          e);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("cannot define " + name + " beside " + host, e);
    }
  }

  private static byte[] bytesOf(ClassLoader loader, String name) {
    try (InputStream in = loader.getResourceAsStream(name + ".class")) {
      if (in == null) {
        throw new IllegalStateException(name + " is not on the class path");
      }
      return in.readAllBytes();
    } catch (IOException e) {
      throw new IllegalStateException("cannot read " + name, e);
    }
  }
}
