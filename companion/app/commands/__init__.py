"""The subcommands of `companion`: a room for each purpose, a module a family with a tuple COMMANDS of click commands.

Heavy imports (cv2, flask, sqlalchemy) belong inside the command functions, so that `--help` stays quick.
"""
