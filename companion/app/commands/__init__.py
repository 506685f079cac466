"""The subcommands of `companion`: one module a family, each with a tuple COMMANDS of click commands.

Heavy imports (cv2, flask, sqlalchemy) belong inside the command functions, so that `--help` stays quick.
"""
